// NaN, infinities and signed zero made from small integers.
// expect: branches 16 feasible 16
// expect: paths 9
// expect: mcdc 18:9 UU
// expect: mcdc 20:9 UU
// expect: mcdc 22:9 UU
#include "labrys.h"

int main(void) {
    signed char a = labrys_schar("a");
    signed char b = labrys_schar("b");
    double q = (double)a / (double)b;
    int r = 0;
    if (q != q)
        r |= 1;
    if (q > 1e300)
        r |= 2;
    if (!(q < 0) && !(q >= 0))
        r |= 4;
    if (q == 0 && 1 / q < 0)
        r |= 8;
    if (q * b != a && b)
        r |= 16;
    return r;
}
