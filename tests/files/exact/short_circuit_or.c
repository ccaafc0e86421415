// || with implied and contradicting conditions, mixed with && without parentheses.
// expect: branches 40 feasible 35
// expect: paths 55
// expect: infeasible 20:19:false
// expect: infeasible 24:42:true
// expect: infeasible 24:52:false
// expect: infeasible 24:52:true
// expect: infeasible 27:27:false
// expect: mcdc 20:9 --
// expect: mcdc 22:9 UUUU
// expect: mcdc 24:10 UU---U
// expect: mcdc 26:13 UU
// expect: mcdc 31:14 UUU
#include "labrys.h"

int main(void) {
    unsigned char a = labrys_uchar("a");
    unsigned char b = labrys_uchar("b");
    int r = 0;
    if (a < 10 || a >= 10)
        r = 1;
    if (a == 1 || b == 1 || (a > b && a - b < 3))
        r |= 2;
    if ((a == 2 && b == 2) || (a == 2 && b == 2 && r == 0) || a == 200)
        r |= 4;
    int c = a > 100 || b > 100;
    if (c && !(a > 100 || b > 100))
        r |= 8;
    do {
        r += 16;
    } while (r < 30 && (a & 1 || b & 1));
    return r;
}
