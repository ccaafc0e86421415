// The middle one of three numbers.
int find_middle(int a, int b, int c) {
    if ((a < b && b < c) || (c < b && b < a))
        return b;
    if ((b < a && a < c) || (c < a && a < b))
        return a;
    if (a == b || a == c)
        return a;
    if (b == c)
        return b;
    return c;
}
