// The digits of a number in base eight, read as a decimal number; -1 if there are none.
int to_octal(int n) {
    int result = 0, place = 1;
    if (n < 0 || n > 4095)
        return -1;
    while (n != 0) {
        result += n % 8 * place;
        n /= 8;
        place *= 10;
    }
    return result;
}
