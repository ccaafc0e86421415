// A pointer to a double leads to no int.
// arguments: --function clear --time 60s
int count;
int clear(double *p) {
    if (!p)
        return -1;
    count = 3;
    *p = 0;
    if (count != 3) //@ true infeasible, false covered
        return 1;
    return 0;
}
