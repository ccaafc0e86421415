// Only the function without a body can call the callback: nothing in it is infeasible.
// arguments: --function install
struct hooks { int (*check)(int *state, int x); };
void set_hooks(struct hooks *h);

static int check(int *state, int x) {
    if (x > 10) //@ true open, false open
        return *state;
    return 0;
}

void install(void) {
    static struct hooks mine = {check};
    set_hooks(&mine);
}
