// Full-width inputs under assumptions that leave a small range.
// domain: x -20 20
// domain: y 1000 1040
// expect: branches 14 feasible 12
// expect: paths 6
// expect: infeasible 22:9:true
// expect: infeasible 22:21:true
// expect: mcdc 20:9 UUU
// expect: mcdc 22:9 --
#include "labrys.h"

int main(void) {
    int x = labrys_int("x");
    unsigned y = labrys_uint("y");
    labrys_assume(x >= -20);
    labrys_assume(x <= 20);
    labrys_assume(y - 1000 <= 40);
    if (x * 50 == (int)y)
        return 1;
    if (x > 0 && y % (unsigned)x == 0 && x > 15)
        return 2;
    if (y < 1000 || x == 21)
        return 3;
    return x < 0 ? 4 : 5;
}
