// || with implied and contradicting conditions, mixed with && without parentheses.
// expect: branches 40 feasible 35
// expect: paths 55
// expect: infeasible 15:19:false
// expect: infeasible 19:42:true
// expect: infeasible 19:52:false
// expect: infeasible 19:52:true
// expect: infeasible 22:27:false
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
