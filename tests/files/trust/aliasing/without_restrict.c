// Without restrict they may overlap.
// arguments: --function add --time 60s
int add(int *a, const int *b) {
    if (!a || !b || b[1] == 9)
        return -1;
    a[0] = 9;
    if (b[1] == 9) //@ true open, false covered
        return 1;
    return 0;
}
