// Deeply nested expressions, long conditions, many temporaries, long argument lists.
// expect: result e3ffffff00000000fe639411000000005700000000000000010000000000000004000000000000001400000000000000
#include "out.h"

static long mixed(long a, int b, char c, short d, unsigned e, long f, double g, float h, long i, double j, long k) {
    return a - b + c * d - (long)e + (f ^ i) + (long)(g * h - j) + k;
}

int main(void) {
    volatile int v = 3;
    int x = v;
    out((unsigned)(((((((((((x + 1) * 2 - 3) ^ 5) << 2) | 1) + (x * (x - (x + (x * (x - 1)))))) % 97) * ((x > 2) + (x > 3 ? x < 9 : x == 3))) - ((x & 1) ? ((x & 2) ? ((x & 4) ? 1 : 2) : 3) : 4)) + 7)));
    out((unsigned)mixed(1, -2, 'c', -300, 4000000000u, 5, 1.5, 2.5f, 1L << 40, 0.25, -9));
    out((unsigned long)mixed(mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), x, (char)x, (short)x, (unsigned)x, x, x, (float)x, x, x, mixed(x, x, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
    out(x == 3 && (x != 4 || (x == 5 && x)) && !(x == 6 || !(x == 3 && (x < 4 || x > 5))));
    out((unsigned)(x++ && x == 4 ? x-- : 0));
    int chain, other;
    x <<= 1;
    chain = other = x += 4;
    out((unsigned)(chain + other));
    return finish();
}
