// Tables of 16 KiB, constant and mutable, read and written with an index out of the input.
// expect: branches 18 feasible 16
// expect: paths 7
// expect: infeasible 25:9:true
// expect: infeasible 32:9:true
// expect: mcdc 30:9 UU
#include "labrys.h"

static const int constant[4096] = {[20] = 3, [100] = 5, [4095] = 6, [2000] = -4};
static unsigned char table[16384];

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned a = x * 20u & 4095, b = (x * 61u + 5) & 16383;
    int r = 0;
    for (int i = 0; i < 16384; i++)
        table[i] = (unsigned char)(i * 7 + (i >> 8));
    table[5] = x;
    if (constant[a] == 5)
        r |= 1;
    if (constant[a] == -4)
        r |= 2;
    if (constant[a] + constant[(a + 4075) & 4095] == 9)
        r |= 4;
    if (constant[a] == 4)
        r |= 8;
    if (table[b] == 0x55)
        r |= 16;
    table[b] = 77;
    if (table[5] == 77 && x != 77)
        r |= 32;
    if (table[b] != 77)
        r |= 64;
    return r;
}
