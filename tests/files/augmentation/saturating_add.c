// The sum, or the limit that it would exceed.
int saturating_add(int a, int b) {
    const int most = 2147483647, least = -2147483647 - 1;
    if (b > 0 && a > most - b)
        return most;
    if (b < 0 && a < least - b)
        return least;
    return a + b;
}
