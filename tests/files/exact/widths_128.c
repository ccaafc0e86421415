// 64- and 128-bit arithmetic on values spread from 16 input bits.
// expect: branches 18 feasible 14
// expect: paths 12
// expect: infeasible 21:9:true
// expect: infeasible 23:22:true
// expect: infeasible 28:9:false
// expect: infeasible 33:9:true
// expect: mcdc 23:9 --
// expect: mcdc 28:9 -U
// expect: mcdc 30:9 UU
#include "labrys.h"

typedef unsigned __int128 u128;

int main(void) {
    unsigned char a = labrys_uchar("a");
    unsigned char b = labrys_uchar("b");
    u128 wide = (u128)a << 100 | b;
    unsigned long long low = (unsigned long long)wide, high = (unsigned long long)(wide >> 64);
    int r = 0;
    if (low > 255)
        r |= 1;
    if (high == 0 && a)
        r |= 2;
    u128 square = wide * wide;
    if ((unsigned long long)square == 144)
        r |= 4;
    if (square >> 100 == (u128)a * b * 2 && a > 250)
        r |= 8;
    if (wide / 3 * 3 == wide && a == 17)
        r |= 16;
    __int128 negative = -(__int128)wide;
    if (negative > 0)
        r |= 32;
    return r;
}
