/* complex.c: what compilers call for complex multiplication and division, and for powers with an
 * integer exponent, as C's Annex G defines them. */
#include "engine.h"

#define IS_NAN(x) ((x) != (x))
#define IS_INF(x) (!IS_NAN(x) && IS_NAN((x) - (x)))
#define FABS(x) ((x) < 0 ? -(x) : (x))

#define COMPLEX(T, SUFFIX, SIGN)                                                                  \
  static T box_##SUFFIX(T x, int one) { return SIGN(one ? (T)1 : (T)0, x); }                      \
  WEAK _Complex T __mul##SUFFIX##3(T a, T b, T c, T d) {                                          \
    T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                             \
    T real = ac - bd, imaginary = ad + bc;                                                        \
    if (IS_NAN(real) && IS_NAN(imaginary)) {                                                      \
      int again = 0;                                                                              \
      if (IS_INF(a) || IS_INF(b)) {                                                               \
        a = box_##SUFFIX(a, IS_INF(a)), b = box_##SUFFIX(b, IS_INF(b));                           \
        if (IS_NAN(c)) c = box_##SUFFIX(c, 0);                                                    \
        if (IS_NAN(d)) d = box_##SUFFIX(d, 0);                                                    \
        again = 1;                                                                                \
      }                                                                                           \
      if (IS_INF(c) || IS_INF(d)) {                                                               \
        c = box_##SUFFIX(c, IS_INF(c)), d = box_##SUFFIX(d, IS_INF(d));                           \
        if (IS_NAN(a)) a = box_##SUFFIX(a, 0);                                                    \
        if (IS_NAN(b)) b = box_##SUFFIX(b, 0);                                                    \
        again = 1;                                                                                \
      }                                                                                           \
      if (!again && (IS_INF(ac) || IS_INF(bd) || IS_INF(ad) || IS_INF(bc))) {                     \
        if (IS_NAN(a)) a = box_##SUFFIX(a, 0);                                                    \
        if (IS_NAN(b)) b = box_##SUFFIX(b, 0);                                                    \
        if (IS_NAN(c)) c = box_##SUFFIX(c, 0);                                                    \
        if (IS_NAN(d)) d = box_##SUFFIX(d, 0);                                                    \
        again = 1;                                                                                \
      }                                                                                           \
      if (again) {                                                                                \
        real = (T)__builtin_inf() * (a * c - b * d);                                              \
        imaginary = (T)__builtin_inf() * (a * d + b * c);                                         \
      }                                                                                           \
    }                                                                                             \
    _Complex T z;                                                                                 \
    __real__ z = real, __imag__ z = imaginary;                                                    \
    return z;                                                                                     \
  }                                                                                               \
  /* The scale of a finite number other than zero: x * 2^-scale is in [1, 2). */                  \
  static int scale_##SUFFIX(T x) {                                                                \
    int scale = 0;                                                                                \
    x = FABS(x);                                                                                  \
    if (x == 0 || IS_NAN(x) || IS_INF(x)) return 0;                                               \
    while (x >= 2) x /= 2, scale++;                                                               \
    while (x < 1) x *= 2, scale--;                                                                \
    return scale;                                                                                 \
  }                                                                                               \
  static T scaled_##SUFFIX(T x, int by) {                                                         \
    for (; by > 0; by--) x *= 2;                                                                  \
    for (; by < 0; by++) x /= 2;                                                                  \
    return x;                                                                                     \
  }                                                                                               \
  WEAK _Complex T __div##SUFFIX##3(T a, T b, T c, T d) {                                          \
    T larger = FABS(c) > FABS(d) || IS_NAN(d) ? FABS(c) : FABS(d);                                \
    int scale = scale_##SUFFIX(larger);                                                           \
    c = scaled_##SUFFIX(c, -scale), d = scaled_##SUFFIX(d, -scale);                               \
    T denominator = c * c + d * d;                                                                \
    T real = scaled_##SUFFIX((a * c + b * d) / denominator, -scale);                              \
    T imaginary = scaled_##SUFFIX((b * c - a * d) / denominator, -scale);                         \
    if (IS_NAN(real) && IS_NAN(imaginary)) {                                                      \
      if (denominator == 0 && (!IS_NAN(a) || !IS_NAN(b))) {                                       \
        real = SIGN((T)__builtin_inf(), c) * a;                                                   \
        imaginary = SIGN((T)__builtin_inf(), c) * b;                                              \
      } else if ((IS_INF(a) || IS_INF(b)) && !IS_NAN(c - c) && !IS_NAN(d - d)) {                  \
        a = box_##SUFFIX(a, IS_INF(a)), b = box_##SUFFIX(b, IS_INF(b));                           \
        real = (T)__builtin_inf() * (a * c + b * d);                                              \
        imaginary = (T)__builtin_inf() * (b * c - a * d);                                         \
      } else if (IS_INF(larger) && !IS_NAN(a - a) && !IS_NAN(b - b)) {                            \
        c = box_##SUFFIX(c, IS_INF(c)), d = box_##SUFFIX(d, IS_INF(d));                           \
        real = 0 * (a * c + b * d), imaginary = 0 * (b * c - a * d);                              \
      }                                                                                           \
    }                                                                                             \
    _Complex T z;                                                                                 \
    __real__ z = real, __imag__ z = imaginary;                                                    \
    return z;                                                                                     \
  }

COMPLEX(float, sc, __builtin_copysignf)
COMPLEX(double, dc, __builtin_copysign)
COMPLEX(long double, xc, __builtin_copysignl)

#define POWER(T, NAME)                                                                            \
  WEAK T NAME(T base, int exponent) {                                                             \
    unsigned n = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;                     \
    T result = 1;                                                                                 \
    for (; n; n >>= 1, base *= base)                                                              \
      if (n & 1) result *= base;                                                                  \
    return exponent < 0 ? 1 / result : result;                                                    \
  }

POWER(float, __powisf2)
POWER(double, __powidf2)
POWER(long double, __powixf2)
