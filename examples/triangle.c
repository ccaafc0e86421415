/* What kind of triangle do three sides make? A classic of testing: most suites miss a case. */

enum kind { NOT_A_TRIANGLE, EQUILATERAL, ISOSCELES, SCALENE };

enum kind triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NOT_A_TRIANGLE;
    /* Subtracting instead of adding: the sum of two large sides would overflow. */
    if (a >= b && a >= c) {
        if (b <= a - c)
            return NOT_A_TRIANGLE;
    } else if (b >= c) {
        if (a <= b - c)
            return NOT_A_TRIANGLE;
    } else if (a <= c - b) {
        return NOT_A_TRIANGLE;
    }
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}
