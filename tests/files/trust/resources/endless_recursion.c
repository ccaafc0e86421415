// A recursion without an end is an error of the program; nothing is proved of what stands behind it
// but that the stack was not large enough.
// arguments: --function endless
static int forever(int n) { return forever(n + 1) + 1; }
int endless(int c) {
    if (c == 5) //@ true covered, false covered
        c = forever(c);
    if (c == 6) //@ true covered, false covered
        return 1;
    if (c == 5) //@ true unknown resources: stack
        return 2;
    return 0;
}
