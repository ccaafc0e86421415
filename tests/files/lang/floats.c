// float, double and long double: arithmetic, rounding, conversions both ways.
// expect: result 0000000000007041343333333333d33f000000a09999b93f555555555555d53f0000006066668a411ed4411dd4418d3fcdccccfcffff6f41000000000000000001000000000000000100000000000000feffffffffffffff0300000000000000000008c5a1d8ccf9000000000000e043ffffffffffffef43000000000000f04301f8ffffffffffff00000000000069400000000000c072c003000000000000000000000000000000000000000000f07f00000000000000809a9999999999b93f0000000000000000
#include "out.h"

int main(void) {
    volatile float f = 16777217.0f;
    volatile double d = 0.1;
    volatile long double l = 1.0L / 3.0L;
    out_double(f), out_double(d + 0.2), out_double((float)d), out_double((double)l);
    out_double(f * 3.3f), out_double(d / 7), out_double(f - d);
    out_double((double)(l * 3 - 1)), out(l * 3 == 1.0L), out((double)l < l);
    out((unsigned long long)(long long)-2.9), out((unsigned)3.99f), out((unsigned long long)1.8e19);
    volatile long long big = 0x7fffffffffffffffLL;
    volatile unsigned long long ubig = 0xfffffffffffff801ULL;
    out_double((double)big), out_double((double)ubig), out_double((float)ubig);
    out((unsigned long long)(long double)ubig);
    out_double((unsigned char)200.7), out_double((short)-300.2f);
    volatile double denormal = 4.9406564584124654e-324;
    out_double(denormal * 3), out_double(denormal / 2), out_double(1e308 * (d * 100));
    out_double(-0.0 * d), out_double(__builtin_fabs(-d)), out_double((float)1e-46);
    return finish();
}
