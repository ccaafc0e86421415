// Doubles and floats computed from one byte: rounding, comparison, conversion back.
// expect: branches 18 feasible 13
// expect: paths 6
// expect: infeasible 21:27:true
// expect: infeasible 23:9:true
// expect: infeasible 27:9:true
// expect: infeasible 31:29:false
// expect: infeasible 31:29:true
// expect: mcdc 21:9 --
// expect: mcdc 29:9 UU
// expect: mcdc 31:29 c-
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    double d = x / 10.0;
    float f = (float)d;
    int r = 0;
    if (d == 2.5)
        r |= 1;
    if ((double)f == d && x % 5 != 0)
        r |= 2;
    if (d * 10.0 != x)
        r |= 4;
    if ((int)(d * d) == 100)
        r |= 8;
    if (f > 25.5f)
        r |= 16;
    if (x && 1.0 / x > 0.3)
        r |= 32;
    if (0.1f * 3 == 0.3f || d < 0)
        r |= 64;
    return r;
}
