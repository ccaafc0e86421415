// Two pointers in a table are equal.
// arguments: --function twice --time 60s --array-len 2
int twice(int **v) {
    if (!v)
        return -1;
    if (v[0] && v[0] == v[1]) //@ true covered, false covered
        return 1;
    return 0;
}
