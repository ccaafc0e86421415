// The remainder of a division by repeated subtraction, with the sign of the dividend; -1 for a
// divisor of 0.
int remainder_of(int a, int b) {
    int rest = 0, sum = 0;
    if (b == 0)
        return -1;
    if (a == 0)
        return 0;
    if (a < -20 || a > 20 || b < -20 || b > 20)
        return -2;
    if (a > 0 && b > 0) {
        while (a - rest >= b)
            rest += b;
        return a - rest;
    }
    if (a > 0) {
        while (a - rest >= -b)
            rest -= b;
        return a - rest;
    }
    if (b > 0) {
        while (a + sum <= -b)
            sum += b;
        return a + sum;
    }
    while (a - sum <= b)
        sum += b;
    return a - sum;
}
