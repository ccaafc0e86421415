// The sum of the decimal digits, whatever the sign.
int digit_sum(int n) {
    int sum = 0;
    while (n != 0) {
        int digit = n % 10;
        sum += digit < 0 ? -digit : digit;
        n /= 10;
    }
    return sum;
}
