// The program says that nothing else leads there.
// arguments: --function add --time 60s
int add(int *restrict a, const int *restrict b) {
    if (!a || !b)
        return -1;
    int before = b[1];
    a[0] = before + 1;
    if (b[1] != before) //@ true infeasible, false covered
        return 1;
    return 0;
}
