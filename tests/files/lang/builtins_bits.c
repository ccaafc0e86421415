// Bit-count, byte-swap, rotate, parity and find-first builtins of all widths.
// expect: result 0000000000000000080000000000000007000000000000000e0000000000000010000000000000000200000000000000123400000000000000f0a0010000000000008000000040000100000000000000000000000000000001000000000000000f0000000000000000000000000000001c000000000000003c000000000000008000507800000000080000001000000041230000000000000500000000000000030000000000000001000000000000000500000000000000010000000000000007000000000000000500000000000000
#include "out.h"
#include <stdint.h>

int main(void) {
    volatile uint32_t x = 0x00f0a001;
    volatile uint64_t y = 0x0000800000004000ULL;
    volatile uint16_t z = 0x1234;
    volatile int negative = -5;
    out((unsigned)__builtin_ctz(x)), out((unsigned)__builtin_clz(x)), out((unsigned)__builtin_popcount(x));
    out((unsigned)__builtin_ctzll(y)), out((unsigned)__builtin_clzll(y)), out((unsigned)__builtin_popcountll(y));
    out(__builtin_bswap16(z)), out(__builtin_bswap32(x)), out(__builtin_bswap64(y));
    out((unsigned)__builtin_parity(x)), out((unsigned)__builtin_parityll(y)), out((unsigned)__builtin_ffs((int)x)), out((unsigned)__builtin_ffsll((long long)y)), out((unsigned)__builtin_ffs((int)(x & 0)));
    out((unsigned)__builtin_clrsb(negative)), out((unsigned)__builtin_clrsbll(negative));
    out(x << 7 | x >> 25), out(y >> 11 | y << 53), out((uint16_t)(z << 4 | z >> 12));
    out((unsigned)__builtin_abs(negative)), out((unsigned)(__builtin_expect(x != 0, 1) ? 3 : 4));
    out((unsigned)__builtin_constant_p(7)), out(__builtin_object_size("four", 0)), out((unsigned)__builtin_types_compatible_p(int, int));
    if (x == 0)
        __builtin_unreachable();
    char buffer[10];
    out(__builtin_object_size(buffer + 3, 0)), out((unsigned)__builtin_strlen("minos"));
    return finish();
}
