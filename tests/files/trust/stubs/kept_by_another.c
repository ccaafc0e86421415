// One function keeps an address, another one writes there later.
// arguments: --function run
struct job { int *result; };
void submit(struct job *j);
int wait_for_all(int limit);

int run(void) {
    int result = 0, other = 1;
    struct job j = {&result};
    submit(&j);
    result = 5;
    if (result != 5) //@ true infeasible, false covered
        return 1;
    wait_for_all(other);
    if (other != 1) //@ true infeasible, false covered
        return 2;
    if (result != 5) //@ true open, false covered
        return 3;
    return 0;
}
