// The greatest common divisor by Euclid; 0 only if both are 0.
int gcd(int a, int b) {
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
