// A local volatile object is one that only this function and a debugger know. C says the same of it.
// arguments: --function twice
int twice(int n) {
    volatile int flag = n;
    int copy = n;
    if (flag == 1)
        if (flag == 2) //@ true unknown volatile, false covered
            return 1;
    if (copy == 1)
        if (copy == 2) //@ true infeasible, false covered
            return 2;
    return 0;
}
