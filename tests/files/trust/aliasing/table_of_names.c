// Two strings in a table, and one inside of the other.
// arguments: --function suffix --time 60s --array-len 2
int suffix(char *v[]) {
    if (!v || !v[0] || !v[1])
        return -1;
    if (v[1] == v[0] + 1) //@ true covered, false covered
        return 1;
    return 0;
}
