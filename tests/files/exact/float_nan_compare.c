// All six comparisons and their negations, with NaN, infinities and both zeros on either side.
// expect: branches 30 feasible 21
// expect: paths 7
// expect: infeasible 31:13:true
// expect: infeasible 31:26:true
// expect: infeasible 31:39:true
// expect: infeasible 35:9:true
// expect: infeasible 35:19:true
// expect: infeasible 37:9:false
// expect: infeasible 37:21:false
// expect: infeasible 37:33:false
// expect: infeasible 37:43:false
// expect: mcdc 31:13 ---
// expect: mcdc 35:9 --
// expect: mcdc 37:9 ----
// expect: mcdc 38:16 UU
#include "labrys.h"
#include <math.h>

static const float values[8] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-45f};

int main(void) {
    unsigned char i = labrys_uchar("i");
    unsigned char j = labrys_uchar("j");
    float x = values[i & 7], y = values[j & 7];
    if (x < y)
        return 1;
    if (x > y)
        return 2;
    if (x == y) {
        if (!(x <= y) || !(x >= y) || x != y)
            return 3;
        return signbit(x) != signbit(y) ? 4 : 5;
    }
    if (x <= y || x >= y)
        return 6;
    if (!(x < y) && !(x > y) && x != y && isunordered(x, y))
        return x != x && y != y ? 7 : 8;
    return 9;
}
