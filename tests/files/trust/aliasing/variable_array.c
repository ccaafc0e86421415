// A variable that is an array: its later elements may be what the pointer leads to.
// arguments: --time 60s
int marks[3];
int mark(int *p) {
    if (!p)
        return -1;
    marks[2] = 0;
    *p = 5;
    if (marks[2] == 5) //@ true open, false covered
        return 1;
    return 0;
}
int keep(int *p) {
    if (!p)
        return -1;
    marks[2] = 0;
    *p = 5;
    if (*p != 5) //@ true infeasible, false covered
        return 2;
    return 0;
}
