// Euclid's algorithm; every answer divides both.
// expect: branches 22 feasible 17
// expect: paths 19
// expect: infeasible 28:16:true
// expect: infeasible 28:21:true
// expect: infeasible 29:9:true
// expect: infeasible 29:18:true
// expect: infeasible 31:41:true
// expect: mcdc 28:16 --
// expect: mcdc 29:9 --
// expect: mcdc 31:9 -----
#include "labrys.h"

static unsigned gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned a = x & 15, b = x >> 4;
    unsigned g = gcd(a, b);
    if (g == 0)
        return a || b ? 1 : 2;
    if (a % g || b % g)
        return 3;
    if (g == 1 && a && b && !(a & 1) && !(b & 1))
        return 4;
    return (int)g;
}
