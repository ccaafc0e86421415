// Lookup tables, one indexed by the other; one value is in no table.
// expect: branches 12 feasible 9
// expect: paths 4
// expect: infeasible 19:19:true
// expect: infeasible 21:9:true
// expect: infeasible 24:16:false
// expect: mcdc 19:9 --
#include "labrys.h"

static const unsigned char nibble_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const signed char weight[5] = {0, 1, 3, -7, 15};

int main(void) {
    unsigned char x = labrys_uchar("x");
    int low = nibble_bits[x & 15], high = nibble_bits[x >> 4];
    int w = weight[low] + weight[high];
    if (w == 30)
        return 1;
    if (w == 2 && low != high)
        return 2;
    if (w == 5)
        return 3;
    if (w < -13)
        return w == -14 ? 4 : 5;
    return 0;
}
