// Decisions whose conditions depend on one another: some pairs are only masking, some are none.
// expect: branches 68 feasible 64
// expect: paths 117
// expect: infeasible 25:20:false
// expect: infeasible 34:35:true
// expect: infeasible 36:28:true
// expect: infeasible 40:28:false
// expect: mcdc 21:10 UUMU
// expect: mcdc 23:10 UUMU
// expect: mcdc 25:9 U--
// expect: mcdc 27:10 UUMU
// expect: mcdc 34:10 UU--
// expect: mcdc 36:9 UU-
// expect: mcdc 38:10 UUUU
// expect: mcdc 40:9 ---
// expect: mcdc 42:10 UUUUU
#include "labrys.h"

static int same_twice(int a, int b, int c) {
    int r = 0;
    if ((a && b) || (!a && c))
        r |= 1;
    if ((a || b) && (!a || c))
        r |= 2;
    if (a && (b || a))
        r |= 4;
    if ((a && b) || (a && c))
        r |= 8;
    return r;
}

static int overlapping(unsigned char x, unsigned char y) {
    int r = 0;
    if ((x > 3 && y) || (x > 5 && y > 9))
        r |= 1;
    if (x > 9 && (y < 4 || x < 5))
        r |= 2;
    if ((x < 10 || y < 10) && (x > 20 || y > 20))
        r |= 4;
    if (x == y || x < y || x > y)
        r |= 8;
    if ((x == 1 && y == 1) || (x == 2 && y == 2) || x == y)
        r |= 16;
    return r;
}

int main(void) {
    unsigned char bits = labrys_uchar("bits");
    int r = same_twice(bits & 1, bits & 2, bits & 4);
    return r + overlapping(bits, labrys_uchar("y"));
}
