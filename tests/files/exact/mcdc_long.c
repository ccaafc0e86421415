// Decisions of six to twelve conditions, with and without independent ones.
// expect: branches 112 feasible 111
// expect: paths 515
// expect: infeasible 30:66:false
// expect: mcdc 20:9 UUUUUUUUUU
// expect: mcdc 22:9 UUUUUUUUUUUU
// expect: mcdc 24:10 UUUUUUUUUU
// expect: mcdc 26:10 UUUUUUUUUU
// expect: mcdc 28:10 UUUUUUUM
// expect: mcdc 30:9 UUUUU-
#include "labrys.h"

#define BIT(n) ((x >> (n)) & 1)

int main(void) {
    unsigned short x = labrys_ushort("x");
    int b0 = BIT(0), b1 = BIT(1), b2 = BIT(2), b3 = BIT(3), b4 = BIT(4), b5 = BIT(5), b6 = BIT(6);
    int b7 = BIT(7), b8 = BIT(8), b9 = BIT(9), b10 = BIT(10), b11 = BIT(11);
    int r = 0;
    if (b0 && b1 && b2 && b3 && b4 && b5 && b6 && b7 && b8 && b9)
        r |= 1;
    if (b0 || b1 || b2 || b3 || b4 || b5 || b6 || b7 || b8 || b9 || b10 || b11)
        r |= 2;
    if ((b0 || b1) && (b2 || b3) && (b4 || b5) && (b6 || b7) && (b8 || b9))
        r |= 4;
    if ((b0 && b1) || (b2 && b3) || (b4 && b5) || (b6 && b7) || (b8 && b9))
        r |= 8;
    if ((b0 && (b1 || (b2 && (b3 || (b4 && b5))))) || (b6 && b0))
        r |= 16;
    if (x > 100 && x < 200 && x != 150 && x % 7 == 3 && x % 2 && x > 90)
        r |= 32;
    return r;
}
