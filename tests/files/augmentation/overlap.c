// The length that two intervals have in common; 0 if one of them is none.
int overlap(int a, int b, int c, int d) {
    if (a >= b || c >= d)
        return 0;
    int from = a > c ? a : c;
    int to = b < d ? b : d;
    return from < to ? (int)((unsigned)to - (unsigned)from) : 0;
}
