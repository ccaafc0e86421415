// Shifts by input amounts; arithmetic against logical; rotations.
// expect: branches 20 feasible 18
// expect: paths 16
// expect: infeasible 23:31:true
// expect: infeasible 29:9:true
// expect: mcdc 21:9 UUUU
// expect: mcdc 23:9 --
#include "labrys.h"
#include <stdint.h>

static uint8_t rotate(uint8_t v, unsigned n) {
    n &= 7;
    return n ? (uint8_t)(v << n | v >> (8 - n)) : v;
}

int main(void) {
    uint8_t v = labrys_uchar("v");
    uint8_t n = labrys_uchar("n");
    labrys_assume(n < 8);
    int r = 0;
    if (rotate(v, n) == v && n != 0 && v != 0 && v != 255)
        r |= 1;
    if ((int8_t)v >> n < 0 && v < 128)
        r |= 2;
    if ((v >> n) << n != v)
        r |= 4;
    if (((uint64_t)v << (n + 50)) >> 58 == 1)
        r |= 8;
    if (rotate(rotate(v, n), 8 - n) != v)
        r |= 16;
    return r;
}
