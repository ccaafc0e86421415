// The pointer itself is no int, so writing the int leaves it alone.
// arguments: --function keep --time 60s
int keep(int *p, int **pp) {
    if (!p || !pp || !*pp)
        return -1;
    *p = 2;
    if (!*pp) //@ true infeasible, false covered
        return 1;
    return 0;
}
