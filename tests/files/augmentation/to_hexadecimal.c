// Writes a number of at most four hexadecimal digits as text; the number of digits, or 0 if it is
// too large.
int to_hexadecimal(unsigned n, char text[5]) {
    int digits = 0;
    if (n > 0xffff) {
        text[0] = '\0';
        return 0;
    }
    do {
        unsigned digit = n % 16;
        text[digits++] = digit < 10 ? '0' + digit : 'A' + (digit - 10);
        n /= 16;
    } while (n > 0);
    for (int i = 0; i < digits / 2; i++) {
        char other = text[i];
        text[i] = text[digits - 1 - i];
        text[digits - 1 - i] = other;
    }
    text[digits] = '\0';
    return digits;
}
