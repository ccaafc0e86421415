// A sum over a range that two pointers mark.
// arguments: --function total --time 60s --array-len 3
int total(const char *from, const char *to) {
    int n = 0;
    if (!from || !to || to < from)
        return -1;
    while (from != to && n < 3) { //@ all covered
        from++;
        n++;
    }
    if (n == 3) //@ true covered, false covered
        return 1;
    if (n > 3) //@ true infeasible, false covered
        return 2;
    return 0;
}
