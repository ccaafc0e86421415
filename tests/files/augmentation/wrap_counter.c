// Counts up to ten and begins again at 0.
int wrap_counter(int n) {
    if (n > 9)
        return 0;
    return n + 1;
}
