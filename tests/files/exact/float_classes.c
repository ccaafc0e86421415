// Every class of double by its bits: a switch on the class, signs of zeros, x != x, x + 1 == x.
// expect: branches 32 feasible 30
// expect: paths 10
// expect: infeasible 28:13:default
// expect: infeasible 47:24:true
// expect: mcdc 37:9 UU
// expect: mcdc 39:9 UU
// expect: mcdc 43:9 UU
// expect: mcdc 45:9 UUU
// expect: mcdc 47:9 --
#include "labrys.h"
#include <math.h>
#include <string.h>

static const unsigned long long bits[16] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001,
    0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
    0x4340000000000000, 0x4330000000000001, 0xc1e0000000200000, 0x3fb999999999999a,
};

int main(void) {
    unsigned char i = labrys_uchar("i");
    double x;
    int r = 0;
    memcpy(&x, &bits[i & 15], sizeof x);
    int class = fpclassify(x);
    switch (class) {
    case FP_NAN: r = 1; break;
    case FP_INFINITE: r = 2; break;
    case FP_ZERO: r = 3; break;
    case FP_SUBNORMAL: r = 4; break;
    case FP_NORMAL: r = 5; break;
    }
    if (x != x)
        r |= 8;
    if (x == 0.0 && 1 / x < 0)
        r |= 16;
    if (x == -0.0 && !signbit(x))
        r |= 32;
    if (x + 1 == x)
        r |= 64;
    if (isinf(x) && x < 0)
        r |= 128;
    if ((float)x == x && isfinite(x) && x != 0)
        r |= 256;
    if (isnormal(x) && x - x != 0)
        r |= 512;
    return r;
}
