// -1, 0 or 1.
int sign(int n) {
    if (n > 0)
        return 1;
    return n < 0 ? -1 : 0;
}
