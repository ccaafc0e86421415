// A division ends the run if the divisor is zero, so the check behind it cannot find a zero. The
// proof says that it stands on this.
// arguments: --function ratio
int ratio(int a, int b) {
    if (a < 0 || b < 0)
        return -1;
    int q = a / b;
    if (b == 0) //@ true rests on ends at first error, false covered
        return 0;
    if (q > a) //@ true infeasible, false covered
        return 1;
    return q;
}
