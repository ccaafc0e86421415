// The end of one object may be the start of another.
// arguments: --function ends
static int a[2], b[2];
int ends(int c) {
    int *end = a + 2, *start = b;
    int r = 0;
    if (c > 5)
        r = 1;
    if (end == start + 1) //@ true infeasible
        r |= 2;
    if (end == start) //@ true open, false open
        r |= 4;
    return r;
}
