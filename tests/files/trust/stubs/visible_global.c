// A function may change variables that it can see.
// arguments: --function check
int status;
void step(void);

int check(void) {
    status = 1;
    step();
    if (status == 2) //@ true open, false covered
        return 2;
    return 0;
}
