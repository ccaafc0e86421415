// The distance of two pointers into one array, which may be larger than the harness makes it.
// arguments: --function length --time 60s --array-len 4
int length(const int *begin, const int *end) {
    if (!begin || !end)
        return -1;
    if (end - begin == 3) //@ true covered, false covered
        return 3;
    if (end - begin == 900) //@ true open, false covered
        return 900;
    return 0;
}
