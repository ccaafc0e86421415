// Without such instructions the product is rounded before the sum.
// arguments: --function not_fused
int not_fused(float a) {
    float b = a * a;
    if (a > 1 && a < 2) {
        if (a * a - b != 0) //@ true infeasible
            return 1;
    }
    return 0;
}
