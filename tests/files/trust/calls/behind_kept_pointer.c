// The state is behind a pointer that an earlier call has kept.
// arguments: --function remember
static int *kept;

int remember(int *p) {
    if (kept && *kept == 5) //@ true open, false covered
        return 1;
    if (!p)
        return 0;
    *p = *p & 15;
    if (*p > 15) //@ true infeasible, false covered
        return 2;
    kept = p;
    return 3;
}
