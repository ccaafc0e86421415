// With --calls 6 the sixth call is made.
// arguments: --function tick --calls 6
int tick(void) {
    static int count = 0;
    if (++count == 6) //@ true covered, false covered
        return 1;
    return 0;
}
