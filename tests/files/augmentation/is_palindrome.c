// Whether the decimal digits are the same from both ends.
int is_palindrome(int n) {
    int rest = n, reversed = 0;
    if (n < 0 || n > 99999)
        return 0;
    while (rest > 0) {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    return reversed == n;
}
