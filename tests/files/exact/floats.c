// Doubles and floats computed from one byte: rounding, comparison, conversion back.
// expect: branches 18 feasible 13
// expect: paths 6
// expect: infeasible 18:27:true
// expect: infeasible 20:9:true
// expect: infeasible 24:9:true
// expect: infeasible 28:29:false
// expect: infeasible 28:29:true
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
