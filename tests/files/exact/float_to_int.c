// Conversions between floats and integers: truncation, rounding of large integers.
// expect: branches 18 feasible 16
// expect: paths 14
// expect: infeasible 23:9:true
// expect: infeasible 27:9:true
// expect: mcdc 15:9 UU
// expect: mcdc 19:9 UU
#include "labrys.h"

int main(void) {
    short a = labrys_short("a");
    double d = a / 8.0;
    float f = (float)(16777216 + a);
    int r = 0;
    if ((int)d == 0 && d != 0)
        r |= 1;
    if ((int)d > d)
        r |= 2;
    if ((signed char)(int)d == 100 && d > 200)
        r |= 4;
    if ((int)f != 16777216 + a)
        r |= 8;
    if ((long)(d * 1e15) % 2 == 1)
        r |= 16;
    if ((unsigned)(d + 5000) == 3000u)
        r |= 32;
    if ((float)(double)f != f)
        r |= 64;
    return r;
}
