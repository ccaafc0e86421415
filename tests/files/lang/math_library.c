// The C library's mathematics on concrete numbers: values, errors, all three types, complex ones.
// expect: result 46b4d1eaf618ed3f00000000af26e33f46b4d1eaf618ed3fcd3b7f669ea09640dbe64f40c5fa044000000000000020400000000000005040000000000000e83f0300000000000000000000000000e0bf00000000000008c0000000000000f87f2100000000000000000000000000f0ff2200000000000000000000000000f87f2100000000000000000000000000f07f2200000000000000000000000000f87f2100000000000000000000000000f8bf0000000000000000000000000000e03f00000000000000000000000000002440fcffffffffffffff0200000000000000010000000000000000000000000000400000000000001640000000000000000000000000000000800000000000000040020000000000000046b4d1eaf618ed3f0572535726a2dabf0000000080af4b41d8a564feb0f1f4bf01000000000000400000002000000440627c742dd594d63ff286372d947de03ff2624d43500cff3f00000020158523c000000040dd291d40000000000000084000000000000010c00000000000002440
#define _GNU_SOURCE
#include "out.h"
#include <complex.h>
#include <errno.h>
#include <math.h>

static void errors(double value) {
    out_double(value);
    out((unsigned long long)errno);
    errno = 0;
}

int main(void) {
    volatile double two = 2, negative = -3.5, infinite = INFINITY, zero = 0, minus_zero = -0.0;
    volatile float f = 2.5f;
    volatile long double l = 2;
    int exponent;
    double part, s, c;
    out_double(sin(two)), out_double(sinf(f)), out_double((double)sinl(l));
    out_double(pow(two, 10.5)), out_double(atan2(two, negative)), out_double((double)powl(l, 3));
    out_double(ldexp(two, 5)), out_double(frexp(two * 3, &exponent)), out((unsigned)exponent);
    out_double(modf(negative, &part)), out_double(part);
    errors(log(negative)), errors(log(zero)), errors(sqrt(negative)), errors(exp(two * 1000));
    errors(fmod(two, zero)), errors(fmod(negative, two)), errors(remainder(negative, two));
    out_double(hypot(3 * two, 4 * two)), out((unsigned long long)lround(negative));
    out((unsigned long long)lrint(2.5)), out((unsigned)ilogb(two)), out_double(cbrt(two * 4));
    out_double(fdim(two, negative)), out_double(fmin(zero, minus_zero));
    out_double(fmax(minus_zero, zero)), out_double(fmax(NAN, two)), out((unsigned)fpclassify(zero));
    sincos(two, &s, &c);
    out_double(s), out_double(c), out_double(tgamma(two * 5.5)), out_double(lgamma(negative));
    out_double(nextafter(two, infinite)), out_double(nexttowardf(f, 3)), out_double(jn(2, two));
    double complex z = csqrt(__builtin_complex((double)negative, (double)two));
    float complex w = cexpf(__builtin_complex((float)f, (float)f));
    long double complex y = cpowl(__builtin_complex((long double)l, 1.0L), l);
    out_double(creal(z)), out_double(cimag(z)), out_double(crealf(w)), out_double(cimagf(w));
    out_double((double)creall(y)), out_double((double)cimagl(conjl(y)));
    out_double(cabs(__builtin_complex(3 * two, 4 * two)));
    return finish();
}
