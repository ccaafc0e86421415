// How many decimal digits a number has.
int digit_count(unsigned n) {
    int digits = 1;
    while (n >= 10) {
        n /= 10;
        digits++;
    }
    return digits;
}
