// The pointer may lead to a member of a structure, if that is of its type.
// arguments: --time 60s
struct limits { int low, high; double scale; } limits;
int raise_limit(int *p) {
    if (!p)
        return -1;
    limits.high = 1;
    *p = 2;
    if (limits.high == 2) //@ true open, false covered
        return 1;
    return 0;
}
int keep(int *p) {
    if (!p)
        return -1;
    limits.scale = 1.0;
    *p = 2;
    if (limits.scale != 1.0) //@ true infeasible, false covered
        return 2;
    return 0;
}
