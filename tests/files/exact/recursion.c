// Recursion, direct and mutual, with a depth given by the input.
// expect: branches 14 feasible 12
// expect: paths 8
// expect: infeasible 19:9:true
// expect: infeasible 21:9:true
// expect: mcdc 13:41 UU
// expect: mcdc 14:40 UU
#include "labrys.h"

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

int main(void) {
    unsigned char x = labrys_uchar("x");
    int n = x & 7;
    if (fib(n) == 4)
        return 1;
    if (is_even((unsigned)n) == (n & 1))
        return 2;
    return 0;
}
