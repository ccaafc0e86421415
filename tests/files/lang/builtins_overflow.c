// Overflow builtins, all operators, widths and mixed signs; min and max by comparison.
// expect: result 010000000000000000000080000000000100000000000000ffffff7f000000000100000000000000feffffff000000000000000000000000d007000000000000010000000000000000000000000000000100000000000000ffffffff000000000000000000000000ff00000000000000010000000000000000000000000000000000000000000000ffffffff00000000000000000000000001000000ffffff3f010000000000000001000000feffff7f0100000000000000000000000000000000000000000000000f000000000000000100000000000000000000000000008001000000000000000100008000000000
#include "out.h"
#include <limits.h>
#include <stdint.h>

int main(void) {
    volatile int big = INT_MAX, small = INT_MIN, two = 2;
    int r = 0;
    out(__builtin_add_overflow(big, 1, &r)), out((unsigned)r);
    out(__builtin_sub_overflow(small, 1, &r)), out((unsigned)r);
    out(__builtin_mul_overflow(big, two, &r)), out((unsigned)r);
    out(__builtin_mul_overflow(1000, two, &r)), out((unsigned)r);
    unsigned u;
    out(__builtin_add_overflow(UINT_MAX, 1u, &u)), out(u), out(__builtin_sub_overflow(2u, 3u, &u)), out(u);
    uint8_t byte;
    out(__builtin_add_overflow(200, 55, &byte)), out(byte), out(__builtin_add_overflow(200, 56, &byte)), out(byte);
    out(__builtin_sub_overflow(3u, 4u, &r)), out((unsigned)r);
    long long wide;
    out(__builtin_mul_overflow((long long)big, (long long)big, &wide)), out((unsigned long long)wide);
    out(__builtin_mul_overflow(wide, wide, &wide)), out((unsigned long long)wide);
    unsigned long long uwide;
    out(__builtin_mul_overflow(0x100000000ULL, 0x100000000ULL, &uwide)), out(uwide), out(__builtin_umulll_overflow(3, 5, &uwide)), out(uwide);
    __int128 huge;
    out(__builtin_mul_overflow((__int128)1 << 100, (__int128)1 << 27, &huge)), out((unsigned long long)(huge >> 64));
    out(__builtin_sadd_overflow(big, two, &r)), out((unsigned)r);
    return finish();
}
