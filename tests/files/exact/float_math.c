// Functions of <math.h> that are exact: they stay symbolic, no value is pinned.
// expect: branches 34 feasible 30
// expect: paths 20
// expect: infeasible 28:9:true
// expect: infeasible 28:34:true
// expect: infeasible 36:29:true
// expect: infeasible 40:33:true
// expect: mcdc 24:9 UU
// expect: mcdc 28:9 --
// expect: mcdc 32:9 UU
// expect: mcdc 36:9 --
// expect: mcdc 38:9 UU
// expect: mcdc 40:9 --
// expect: mcdc 42:9 UU
#include "labrys.h"
#include <errno.h>
#include <math.h>

int main(void) {
    signed char a = labrys_schar("a");
    float x = a / 4.0f;
    int r = 0;
    errno = 0;
    if (floorf(x) == ceilf(x) && x > 20)
        r |= 1;
    if (roundf(x) != rintf(x))
        r |= 2;
    if (truncf(x) < floorf(x) || nearbyintf(x) > ceilf(x))
        r |= 4;
    if (sqrtf(x) == 5)
        r |= 8;
    if (errno == EDOM && x > -3)
        r |= 16;
    if (fmodf(x, 1.5f) == 1.25f)
        r |= 32;
    if (lroundf(x) == -8 && lrintf(x) != -8)
        r |= 64;
    if (fminf(x, -1) == x && fmaxf(x, -31) == -31)
        r |= 128;
    if (copysignf(3, x) == 3 && x < 0)
        r |= 256;
    if (fmaf(x, x, -4) == 0 && fabsf(x) != x)
        r |= 512;
    return r;
}
