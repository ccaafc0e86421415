// A recursion without an end is an error of the program. Behind it nothing is proved by the paths, which
// only show that the stack was not large enough, but by the code: the function returns for no number.
// arguments: --function endless
static int forever(int n) { return forever(n + 1) + 1; }
int endless(int c) {
    if (c == 5) //@ true covered, false covered
        c = forever(c);
    if (c == 6) //@ true covered, false covered
        return 1;
    if (c == 5) //@ true infeasible
        return 2;
    return 0;
}
