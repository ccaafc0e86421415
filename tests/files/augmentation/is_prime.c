// Whether a number up to 200 has exactly two divisors.
int is_prime(int n) {
    if (n < 2 || n > 200)
        return 0;
    if (n % 2 == 0)
        return n == 2;
    for (int divisor = 3; divisor * divisor <= n; divisor += 2)
        if (n % divisor == 0)
            return 0;
    return 1;
}
