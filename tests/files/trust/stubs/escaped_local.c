// A variable whose address a function got may change at a later call; another one may not.
// arguments: --function run
void watch(int *value);
void step(void);

int run(void) {
    int seen = 0, hidden = 0;
    watch(&seen);
    seen = 1;
    step();
    if (hidden != 0) //@ true infeasible, false covered
        return 1;
    if (seen == 2) //@ true unknown stub step has no other effect, false covered
        return 2;
    return 0;
}
