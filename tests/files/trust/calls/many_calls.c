// Two calls are not all calls: what needs six of them is not infeasible.
// arguments: --function tick
int tick(void) {
    static int count = 0;
    if (++count == 6) //@ true unknown count (in tick) keeps its initial value, false covered
        return 1;
    return 0;
}
