// Unsigned wrap-around at 8, 16, 32 and 64 bits.
// expect: branches 18 feasible 16
// expect: paths 7
// expect: infeasible 19:20:true
// expect: infeasible 22:26:true
// expect: mcdc 19:9 --
// expect: mcdc 22:9 --
// expect: mcdc 30:9 UU
#include "labrys.h"
#include <stdint.h>

int main(void) {
    uint8_t a = labrys_uchar("a");
    uint8_t b = labrys_uchar("b");
    int r = 0;
    uint8_t sum = (uint8_t)(a + b);
    if (sum < a)
        r |= 1;
    if (sum < a && sum >= b)
        r |= 2;
    uint16_t sixteen = (uint16_t)(a - b);
    if (sixteen > 255 && a > b)
        r |= 4;
    if (sixteen == 65500)
        r |= 8;
    uint32_t word = 0xffffff00u + a;
    if (word + b < word)
        r |= 16;
    uint64_t wide = (uint64_t)a - b;
    if (wide >> 63 && (uint8_t)wide == 1)
        r |= 32;
    return r;
}
