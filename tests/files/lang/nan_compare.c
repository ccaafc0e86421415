// Comparisons with NaN, infinities and signed zeros, all six operators and the builtins.
// expect: result e000000000000000e000000000000000e000000000000000e000000000000000e000000000000000e0000000000000005a000000000000006c020000000000006c020000000000006c020000000000006c020000000000005a000000000000002303000000000000230300000000000023030000000000005a000000000000005a0000000000000023030000000000005a0000000000000023030000000000005a000000000000000000000000000000000000000000000001000000000000000200000000000000010000000000000001000000000000000100000000000000
#include "out.h"

static unsigned all(double a, double b) {
    return (unsigned)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 |
                      (a != b) << 5 | (!(a < b)) << 6 | __builtin_isunordered(a, b) << 7 |
                      __builtin_isless(a, b) << 8 | __builtin_islessgreater(a, b) << 9);
}

int main(void) {
    volatile double zero = 0, one = 1;
    double nan = zero / zero, inf = one / zero, values[] = {nan, inf, -inf, zero, -zero, one};
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            out(all(values[i], values[j]));
    float fnan = (float)nan;
    out(fnan == fnan), out(!nan), out(nan ? 1 : 2), out(-zero ? 1 : 2), out(__builtin_isnan(nan) != 0);
    out(__builtin_isinf_sign(-inf) < 0), out(__builtin_signbit(-zero) != 0);
    return finish();
}
