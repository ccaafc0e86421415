// Population count three ways, byte swap, lowest bit, power of two.
// expect: branches 20 feasible 15
// expect: paths 25
// expect: infeasible 32:9:true
// expect: infeasible 32:35:true
// expect: infeasible 34:32:true
// expect: infeasible 37:25:true
// expect: infeasible 39:9:false
// expect: mcdc 32:9 --
// expect: mcdc 34:9 ---
// expect: mcdc 37:9 --
#include "labrys.h"
#include <stdint.h>

static int count_loop(uint16_t x) {
    int n = 0;
    for (; x; x &= (uint16_t)(x - 1))
        n++;
    return n;
}

static int count_parallel(uint32_t x) {
    x -= x >> 1 & 0x5555u;
    x = (x & 0x3333u) + (x >> 2 & 0x3333u);
    x = (x + (x >> 4)) & 0x0f0fu;
    return (int)((x + (x >> 8)) & 31u);
}

int main(void) {
    uint16_t x = labrys_ushort("x");
    int n = count_loop(x);
    if (n != count_parallel(x) || n != __builtin_popcount(x))
        return 1;
    if (x && !(x & (x - 1)) && n != 1)
        return 2;
    uint16_t swapped = __builtin_bswap16(x);
    if (swapped == x && x == 0x1221)
        return 3;
    if (swapped == (uint16_t)(x << 8 | x >> 8))
        return swapped == 0x3412 ? 4 : 5;
    return 6;
}
