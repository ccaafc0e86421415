// _BitInt of odd widths up to 128: wrap-around, sign extension, conversion.
// compilers: clang
// expect: result 0100000000000000840e000000000000000000900000000000000000000000402a080000000000000000000000000000d6040000000000000000000000000070010000000000000000000000000000001000000000000000e5bf080000000000
#include "out.h"

int main(void) {
    volatile unsigned char seed = 201;
    unsigned _BitInt(3) tiny = seed;
    _BitInt(13) odd = (_BitInt(13))(seed * 100);
    unsigned _BitInt(65) over = (unsigned _BitInt(65))seed << 60;
    _BitInt(128) wide = (_BitInt(128))odd * over;
    out(tiny), out((unsigned long long)odd), out((unsigned long long)(over >> 32));
    out((unsigned long long)wide), out((unsigned long long)(wide >> 64));
    tiny += 7;
    odd /= 3;
    over = -over;
    out(tiny), out((unsigned long long)odd), out((unsigned long long)over), out((unsigned)(over >> 64));
    out(odd < 0), out(sizeof over), out((unsigned long long)(wide % 1000007));
    return finish();
}
