// A volatile object may have another value at every look.
// arguments: --function poll
volatile unsigned status;

int poll(int n) {
    int same = n == n;
    if (!same) //@ true infeasible, false covered
        return 1;
    if (status != 0) //@ true unknown volatile status, false covered
        return 2;
    if (status != status) //@ true unknown volatile status, false covered
        return 3;
    return n;
}
