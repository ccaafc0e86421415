// A static variable that nobody writes is a constant, also where a function reads it through a
// pointer.
// arguments: --function look
static int table[4] = {1, 2, 3, 4};
static int scale = 2;

static int sum(const int *a, int n) {
    const int *p = a;
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}

int look(int i) {
    if (scale != 2) //@ true infeasible, false covered
        return 1;
    if (sum(table, 4) != 10) //@ true infeasible, false covered
        return 2;
    if (i < 0 || i > 3)
        return 3;
    if (table[i] > 4) //@ true infeasible, false covered
        return 4;
    return 0;
}
