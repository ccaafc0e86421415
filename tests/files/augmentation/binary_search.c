// The place of a number among four ascending ones, or -1.
int binary_search(const int sorted[4], int wanted) {
    int low = 0, high = 3;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == wanted)
            return middle;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
