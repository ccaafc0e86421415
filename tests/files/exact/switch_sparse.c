// Sparse, negative and wide case values on a signed 64-bit operand.
// expect: branches 8 feasible 7
// expect: paths 5
// expect: infeasible 15:5:case
#include "labrys.h"

static int find(long long v) {
    switch (v) {
    case -1000000000000LL:
        return 1;
    case -1:
        return 2;
    case 0:
        return 3;
    case 1LL << 40:
        return 4;
    case 17:
        return 5;
    default:
        return 6;
    }
}

int main(void) {
    signed char x = labrys_schar("x");
    long long v = x;
    if (x == 100)
        v = -1000000000000LL;
    return find(v) + find(v * (1LL << 20));
}
