// Literals may share their bytes.
// arguments: --function literals
int literals(int c) {
    const char *p = "right", *q = "bright", *r = "bright", *s = "left";
    int x = 0;
    if (c == 2)
        p = s;
    if (s == q) //@ true infeasible, false covered
        return 9;
    if (p == q + 1) //@ true open, false open
        x |= 1;
    if (q == r) //@ true open, false open
        x |= 2;
    return x;
}
