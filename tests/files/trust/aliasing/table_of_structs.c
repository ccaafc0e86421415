// Two pointers to structures in a table.
// arguments: --function same --time 60s --array-len 2
struct item { int weight; };
int same(struct item **v) {
    if (!v || !v[0] || !v[1])
        return -1;
    if (v[0] == v[1]) //@ true covered, false covered
        return 1;
    return 0;
}
