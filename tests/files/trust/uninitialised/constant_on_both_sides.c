// The same local, written on every way: then it has only the values that were written.
// arguments: --function always
int always(int c) {
    int x;
    if (c)
        x = 0;
    else
        x = 3;
    if (x == 5) //@ true infeasible, false covered
        return 1;
    return 0;
}
