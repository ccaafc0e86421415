// The number of an interval that is nearest to a given one.
int clamp(int value, int low, int high) {
    if (low > high)
        return low;
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}
