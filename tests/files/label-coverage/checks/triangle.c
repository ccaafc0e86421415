/* Against the definition: sorted sides, all of them positive. */
#include "check.h"
#include "../triangle.c"
#undef main

static enum kind reference(int a, int b, int c) {
    int t;
    if (a > b) t = a, a = b, b = t;
    if (b > c) t = b, b = c, c = t;
    if (a > b) t = a, a = b, b = t;
    if (a <= 0 || a + b <= c) return NO_TRIANGLE;
    return a == c ? EQUILATERAL : a == b || b == c ? ISOSCELES : SCALENE;
}

int main(void) {
    int a, b, c;
    for (a = 0; a < 12; a++)
        for (b = 0; b < 12; b++)
            for (c = 0; c < 12; c++)
                CHECK(triangle(a, b, c) == reference(a, b, c));
    return checked == 12 * 12 * 12 ? 0 : 1;
}
