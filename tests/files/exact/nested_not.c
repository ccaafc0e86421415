// ! around leaves, decisions and values, doubled and mixed with && and ||.
// expect: branches 20 feasible 18
// expect: paths 11
// expect: infeasible 15:26:false
// expect: infeasible 15:31:false
// expect: mcdc 13:12 UU
// expect: mcdc 21:14 UU
#include "labrys.h"

static int pick(int a, int b) {
    if (!(a < 5))
        return 1;
    if (!!(a == 3 && !(b != 7)))
        return 2;
    if (!(!a || !b) && !(a && b))
        return 3;
    int n = !a;
    int m = !!b;
    if (!(n ^ m))
        return 4;
    return !(a == 1 || !(b > 9)) ? 5 : 6;
}

int main(void) {
    unsigned char a = labrys_uchar("a");
    unsigned char b = labrys_uchar("b");
    return pick(a, b);
}
