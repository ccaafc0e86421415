// The product of the numbers from 1 to n; 0 for numbers without one that fits.
int factorial(int n) {
    int product = 1;
    if (n < 0 || n > 12)
        return 0;
    while (n > 1) {
        product *= n;
        n--;
    }
    return product;
}
