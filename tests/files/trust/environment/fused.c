// GCC may round a * b + c once where there are instructions for it.
// arguments: --function fused -- -mfma
int fused(int n, float a, int i) {
    float b;
    switch (n) {
    case 0: // Rounded once, the rest of the product is left.
        b = a * a;
        if (a > 1 && a < 2) {
            if (a * a - b != 0) //@ true unknown floating-point flags
                return 1;
        }
        return 0;
    case 1: // A product alone is rounded as ever.
        if (a > 1 && a < 2) {
            if (a * a < 1) //@ true infeasible
                return 1;
        }
        return 0;
    case 2:
        return i > 3 && i == 2 ? 1 : 0; //@ false covered
    }
    return 0;
}
