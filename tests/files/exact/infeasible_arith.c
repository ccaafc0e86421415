// Branches that arithmetic makes infeasible: parity, squares, remainders, masks.
// expect: branches 20 feasible 13
// expect: paths 4
// expect: infeasible 18:9:true
// expect: infeasible 20:9:true
// expect: infeasible 22:23:true
// expect: infeasible 24:9:true
// expect: infeasible 26:9:true
// expect: infeasible 28:9:true
// expect: infeasible 30:32:true
// expect: mcdc 22:9 --
// expect: mcdc 30:9 --
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int r = 0;
    if ((x * (x + 1)) & 1)
        r = 1;
    if (x * x % 4 == 2)
        r = 2;
    if (x % 6 == 3 && x % 2 == 0)
        r = 3;
    if ((x & 0x0f) > 15)
        r = 4;
    if ((x | 1) == 0)
        r = 5;
    if (2 * x + 3 == 100)
        r = 6;
    if ((x ^ (x >> 1)) == 0 && x)
        r = 7;
    if (7 * x % 256 == 1)
        r = 8;
    return r;
}
