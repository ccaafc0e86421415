// What is written through the one pointer is read through the other, but nothing comes between a write
// and a read through one.
// arguments: --time 60s
int smear(int *p, int *q) {
    if (!p || !q)
        return -1;
    q[0] = 1;
    p[1] = 2;
    if (q[0] == 2) //@ true open, false covered
        return 1;
    return 0;
}
int keep(int *p, int *q) {
    if (!p || !q)
        return -1;
    q[0] = 1;
    p[1] = 2;
    if (p[1] != 2) //@ true infeasible, false covered
        return 2;
    return 0;
}
