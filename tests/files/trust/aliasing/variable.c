// A write through a pointer changes a variable that others can see, but not a hidden one.
// arguments: --function set --time 60s
int level;
static int hidden;
int set(int *p) {
    if (!p)
        return -1;
    level = 1;
    hidden = 1;
    *p = 2;
    if (hidden == 2) //@ true infeasible, false covered
        return 3;
    if (level == 2) //@ true covered, false covered
        return 1;
    return 0;
}
