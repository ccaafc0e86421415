// 0 if three lengths make no triangle, else 3 for equal sides, 2 for two equal ones, 1 for
// others.
int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    if (a > 1000 || b > 1000 || c > 1000)
        return 0;
    if (a + b <= c || a + c <= b || b + c <= a)
        return 0;
    if (a == b && b == c)
        return 3;
    return a == b || b == c || a == c ? 2 : 1;
}
