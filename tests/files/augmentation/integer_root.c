// The largest number whose square is not larger, by bisection; -1 for negative numbers.
int integer_root(int n) {
    int low = 0, high = 46340;
    if (n < 0)
        return -1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (middle * middle <= n)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
