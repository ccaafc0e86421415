// The type of a triangle, by the lengths of its sides.
#include "labrys.h"

enum kind { SCALENE = 1, ISOSCELES, EQUILATERAL, NO_TRIANGLE };

enum { LONGEST = 1000 };

/* Which sides are equal decides first; then the sum of two sides must exceed the third. */
enum kind triangle(int a, int b, int c) {
    int equal = 0;
    if (a == 0 || b == 0 || c == 0)
        return NO_TRIANGLE;
    if (a == b)
        equal += 1;
    if (a == c)
        equal += 2;
    if (b == c)
        equal += 3;
    if (equal == 0) {
        if (a + b <= c || b + c <= a || a + c <= b)
            return NO_TRIANGLE;
        return SCALENE;
    }
    if (equal > 3)
        return EQUILATERAL;
    if (equal == 1 && a + b > c)
        return ISOSCELES;
    if (equal == 2 && a + c > b)
        return ISOSCELES;
    if (equal == 3 && b + c > a)
        return ISOSCELES;
    return NO_TRIANGLE;
}

int main(void) {
    int a = labrys_int("a"), b = labrys_int("b"), c = labrys_int("c");
    labrys_assume(a >= 0 && a <= LONGEST);
    labrys_assume(b >= 0 && b <= LONGEST);
    labrys_assume(c >= 0 && c <= LONGEST);
    return (int)triangle(a, b, c);
}
