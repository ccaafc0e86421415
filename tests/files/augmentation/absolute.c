// The distance to 0; the largest number for the one whose distance does not fit.
int absolute(int n) {
    if (n >= 0)
        return n;
    if (n == -2147483647 - 1)
        return 2147483647;
    return -n;
}
