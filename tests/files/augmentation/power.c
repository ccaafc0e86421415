// The base raised to an exponent from 0 to 8, by repeated multiplication; -1 for other exponents.
long power(int base, int exponent) {
    long result = 1;
    if (exponent < 0 || exponent > 8)
        return -1;
    if (base == 0 && exponent == 0)
        return 1;
    for (int i = 0; i < exponent; i++)
        result *= base;
    return result;
}
