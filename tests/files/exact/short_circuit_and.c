// && in statement, value, loop and argument position; the right side is guarded by the left.
// expect: branches 36 feasible 34
// expect: paths 27
// expect: infeasible 21:19:false
// expect: infeasible 28:22:false
// expect: mcdc 21:9 U-
// expect: mcdc 23:9 UUU
// expect: mcdc 25:10 UU
// expect: mcdc 26:14 UUUU
// expect: mcdc 27:15 UU
// expect: mcdc 27:33 UU
// expect: mcdc 28:12 UU-
#include "labrys.h"

static int both(int a, int b) { return a + 2 * b; }

int main(void) {
    unsigned char a = labrys_uchar("a");
    unsigned char b = labrys_uchar("b");
    int r = 0;
    if (a > 10 && a > 5)
        r = 1;
    if (a < 20 && b < 20 && a + b == 38)
        r += 2;
    r += a == 3 && b == 4;
    int v = (a > 250 && b > 250) && (a < b && b < 253);
    r += both(a == 9 && b == 9, a != 9 && b);
    while (a && b && r < 100) {
        r += 40;
        a >>= 4;
    }
    return r + v;
}
