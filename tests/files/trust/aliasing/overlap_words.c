// Two arrays of shorts that may be parts of one.
// arguments: --function overlap --time 60s
int overlap(short *a, short *b) {
    if (!a || !b)
        return -1;
    if (b >= a && b < a + 2) //@ all covered
        return 1;
    if (a > b && a < b + 2) //@ all covered
        return 2;
    return 0;
}
