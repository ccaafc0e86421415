// && in statement, value, loop and argument position; the right side is guarded by the left.
// expect: branches 36 feasible 34
// expect: paths 27
// expect: infeasible 14:19:false
// expect: infeasible 21:22:false
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
