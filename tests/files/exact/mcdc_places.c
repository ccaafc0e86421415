// Decisions in loops, returns, arguments, `?:` and behind side effects.
// expect: branches 40 feasible 40
// expect: paths 409
// expect: mcdc 28:26 UU
// expect: mcdc 29:14 UU
// expect: mcdc 30:12 UUU
// expect: mcdc 32:14 UU
// expect: mcdc 32:34 UU
// expect: mcdc 33:10 UU
// expect: mcdc 34:9 UU
// expect: mcdc 38:14 UUU
// expect: mcdc 39:12 UU
#include "labrys.h"

static int calls;

static int odd(unsigned n) {
    calls++;
    return n & 1;
}

static int sum(int a, int b) { return a + b; }

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned char y = labrys_uchar("y");
    int r = 0;
    for (unsigned i = 0; i < 4 && (x >> i) != 3; i++)
        r += odd(i) && (y >> i & 1);
    while (r < 9 && (odd(x) || y > 100))
        r += 3;
    r += sum(x > 200 && y > 200, x < 10 || y < 10);
    r += x > y && y > 3 ? 1 : 2;
    if ((x & 1) | (y & 1) && x != 7)
        r += 10;
    do {
        x >>= 3;
    } while (x && odd(x) && y-- > 250);
    return r > 5 && calls > 6;
}
