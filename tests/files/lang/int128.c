// __int128: multiply, divide, remainder, shift, compare, convert.
// expect: result b95948ce222d44dfe883b5804686c861c9f436a65b7a17e4824fe92f37efc6f3b1278253fc6343d950d9647432108ac6157c4a7fb979379e000000000000000004000000000000000000000000000000b37a5575707ef25d0dc480cbffffffffe45b61edffffffffffffffffffffffff00000000000000000020370bc959a485ac053432440e030000000000000000004a7fb979379effffffffffffffffffff010000000000000000000000000000000100000000000000612da0912172d847612da0912172a8c70000000000007546d09c2c9f0c0000008a300b26080000000000000000000000
#include "out.h"

typedef __int128 i128;
typedef unsigned __int128 u128;

static void out128(u128 v) {
    out((unsigned long long)v);
    out((unsigned long long)(v >> 64));
}

int main(void) {
    volatile unsigned long long seed = 0x9e3779b97f4a7c15ULL;
    volatile int shift = 77;
    u128 a = (u128)seed * seed;
    i128 b = -(i128)(a >> 3);
    out128(a);
    out128((u128)b);
    out128(a * a);
    out128(a / seed);
    out128(a % (seed + 2));
    out128((u128)(b / 1000000007));
    out128((u128)(b % 1000000007));
    out128(a << shift);
    out128(a >> shift);
    out128((u128)(b >> shift));
    out(b < 0), out(a > (u128)b), out(b < (i128)a);
    out_double((double)a), out_double((double)b);
    out128((u128)1e30);
    out128(a / ((u128)3 << 90));
    return finish();
}
