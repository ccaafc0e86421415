// A static array that earlier calls have filled.
// arguments: --function first_time
int first_time(unsigned i) {
    static char seen[4];
    if (i >= 4) //@ true covered, false covered
        return -1;
    if (i > 10) //@ true infeasible, false covered
        return -2;
    if (seen[i]) //@ true covered, false covered
        return 0;
    seen[i] = 1;
    return 1;
}
