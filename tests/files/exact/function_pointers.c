// Calls through a table of functions chosen by the input, and through a parameter.
// expect: branches 16 feasible 14
// expect: paths 5
// expect: infeasible 25:21:true
// expect: infeasible 27:23:true
// expect: mcdc 25:9 --
// expect: mcdc 27:9 --
// expect: mcdc 29:9 UU
#include "labrys.h"

static int inc(int v) { return v + 1; }
static int dec(int v) { return v - 1; }
static int clamp(int v) { return v > 100 ? 100 : v; }
static int apply(int (*f)(int), int v, int times) {
    while (times-- > 0)
        v = f(v);
    return v;
}

int main(void) {
    static int (*const table[])(int) = {inc, dec, clamp};
    unsigned char x = labrys_uchar("x");
    int (*f)(int) = table[x % 3];
    int r = apply(f, x, 2);
    if (f == inc && r == x)
        return 1;
    if (f == clamp && r > 100)
        return 2;
    if (f == dec && r < 0)
        return 3;
    return 0;
}
