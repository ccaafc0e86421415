// Signed and unsigned of mixed width: comparisons that surprise, truncation, sign extension.
// expect: branches 24 feasible 21
// expect: paths 15
// expect: infeasible 22:20:true
// expect: infeasible 26:21:true
// expect: infeasible 30:9:true
// expect: mcdc 18:9 UU
// expect: mcdc 20:9 UU
// expect: mcdc 22:9 --
// expect: mcdc 26:9 --
// expect: mcdc 28:9 UUU
#include "labrys.h"

int main(void) {
    signed char s = labrys_schar("s");
    unsigned char u = labrys_uchar("u");
    int r = 0;
    if (s < (int)u && (unsigned)s > u)
        r |= 1;
    if ((unsigned char)s == u && s != u)
        r |= 2;
    if (s == -1 && (unsigned short)s != 65535)
        r |= 4;
    long long wide = s;
    unsigned long long uwide = (unsigned)s;
    if (wide < 0 && uwide > 0xffffffffULL)
        r |= 8;
    if ((signed char)(s + u) < 0 && s > 0 && u < 128)
        r |= 16;
    if ((short)(s * u) > 127 * 255)
        r |= 32;
    return r;
}
