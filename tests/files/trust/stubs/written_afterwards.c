// What the program writes after the call holds, whatever the function has changed.
// arguments: --function check
int status;
void step(int *value);

int check(void) {
    int local = 0;
    status = 1;
    step(&local);
    status = 3;
    local = 4;
    if (status != 3) //@ true infeasible, false covered
        return 3;
    if (local != 4) //@ true infeasible, false covered
        return 4;
    return 0;
}
