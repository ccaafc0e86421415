// Neighbours in one array.
// arguments: --function follows --time 60s
int follows(int *p, int *q) {
    if (!p || !q)
        return -1;
    if (q == p + 1) //@ true covered, false covered
        return 1;
    if (q == p) //@ true covered, false covered
        return 2;
    return 0;
}
