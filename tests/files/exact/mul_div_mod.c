// Multiplication, division and remainder; truncation towards zero; facts of arithmetic.
// expect: branches 20 feasible 17
// expect: paths 10
// expect: infeasible 17:9:true
// expect: infeasible 19:18:true
// expect: infeasible 27:9:true
// expect: mcdc 19:9 --
// expect: mcdc 23:9 UU
// expect: mcdc 29:9 UU
#include "labrys.h"

int main(void) {
    signed char a = labrys_schar("a");
    signed char b = labrys_schar("b");
    labrys_assume(b != 0);
    int q = a / b, m = a % b, r = 0;
    if (q * b + m != a)
        r |= 1;
    if (m < 0 && a > 0)
        r |= 2;
    if (q == 128)
        r |= 4;
    if (m == 100 && b == 101)
        r |= 8;
    if (a * b == 391)
        r |= 16;
    if (a * a + b * b == 3)
        r |= 32;
    if ((unsigned)a % 8u == 3 && a < 0)
        r |= 64;
    return r;
}
