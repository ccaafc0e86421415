// Only first elements are looked at: equal pointers are all that there is to try.
// arguments: --function bounds --time 60s
int bounds(int *low, int *high) {
    if (!low || !high)
        return -1;
    *low = 1;
    *high = 2;
    if (*low == 2) //@ true covered, false covered
        return 1;
    if (*low == 3) //@ true infeasible, false covered
        return 2;
    return 0;
}
