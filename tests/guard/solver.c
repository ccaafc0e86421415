// The guard: products, quotients, shifts and a small hash, for the solver.
#include "labrys.h"

static unsigned hash(unsigned a, unsigned b) {
    unsigned h = a * 31u + b;
    h ^= h >> 7;
    return h * 9u + 5u;
}

int main(void) {
    unsigned char a = labrys_uchar("a"), b = labrys_uchar("b"), c = labrys_uchar("c");
    unsigned short d = labrys_ushort("d");
    int found = 0;
    if (a > 2 && b > 2 && a * b == 3599)
        found |= 1;
    if (c != 0 && d / c == 13 && d % c == 7)
        found |= 2;
    if ((hash(a, d) & 0xffu) == 0x5a)
        found |= 4;
    if (((unsigned)d << (c & 7)) == 0x1230u && (b ^ c) == 0x0f)
        found |= 8;
    labrys_output("found", &found, sizeof found);
    return 0;
}
