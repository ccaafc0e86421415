// What nobody else leads to stays as it is.
// arguments: --function after
int other(int);
int after(int *restrict p) {
    int own = 3, r = 0;
    if (p == 0)
        return 9;
    *p = 1;
    other(1);
    if (*p == 2) //@ true infeasible, false covered
        r |= 2;
    if (own != 3) //@ true infeasible, false covered
        r |= 4;
    return r;
}
