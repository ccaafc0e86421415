// Conditions with side effects, comma operators and assignments.
// expect: branches 20 feasible 16
// expect: paths 7
// expect: infeasible 17:24:false
// expect: infeasible 19:23:true
// expect: infeasible 22:32:false
// expect: infeasible 24:19:true
// expect: mcdc 17:9 U-U
// expect: mcdc 19:9 U-
// expect: mcdc 22:13 U-
// expect: mcdc 24:9 --
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int n = 0, v;
    if ((v = x & 7) && n++ == 0 && (n += 2, v > 3))
        n += 10;
    if (x++ == 255 || ++n > 100)
        n += 20;
    for (int i = 0, j = v; i < j; i++, j--)
        if ((n += i, n & 1) && j != i)
            n += 2;
    if (x == 0 && n < 20)
        return 1;
    return n;
}
