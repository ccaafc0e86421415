/* Arithmetic on the float formats that Rust does not have: half, x87 extended, quad.
 * Values are passed as 16 bytes, little endian; `format` is the width in bits. */
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#define _GNU_SOURCE 1
#include <math.h>
#include <string.h>

typedef unsigned __int128 bits;

enum { ADD, SUB, MUL, DIV, REM, SQRT, ROUND_EVEN, ROUND_AWAY, UP, DOWN, ZERO };

#define OPERATE(T, FMOD, SQRT_, RINT, AWAY, CEIL, FLOOR, TRUNC)                                   \
    {                                                                                             \
        T x, y, r = 0;                                                                            \
        memcpy(&x, &a, sizeof x);                                                                 \
        memcpy(&y, &b, sizeof y);                                                                 \
        switch (op) {                                                                             \
        case ADD: r = x + y; break;                                                               \
        case SUB: r = x - y; break;                                                               \
        case MUL: r = x * y; break;                                                               \
        case DIV: r = x / y; break;                                                               \
        case REM: r = FMOD(x, y); break;                                                          \
        case SQRT: r = SQRT_(x); break;                                                           \
        case ROUND_EVEN: r = RINT(x); break;                                                      \
        case ROUND_AWAY: r = AWAY(x); break;                                                      \
        case UP: r = CEIL(x); break;                                                              \
        case DOWN: r = FLOOR(x); break;                                                           \
        case ZERO: r = TRUNC(x); break;                                                           \
        }                                                                                         \
        memcpy(out, &r, format / 8);                                                              \
        break;                                                                                    \
    }

void labrys_float_operate(int format, int op, const void *pa, const void *pb, void *out)
{
    bits a, b;
    memcpy(&a, pa, 16);
    memcpy(&b, pb, 16);
    memset(out, 0, 16);
    switch (format) {
    case 16: OPERATE(_Float16, fmodf, sqrtf, rintf, roundf, ceilf, floorf, truncf)
    case 80: OPERATE(long double, fmodl, sqrtl, rintl, roundl, ceill, floorl, truncl)
    case 128:
        OPERATE(_Float128, fmodf128, sqrtf128, rintf128, roundf128, ceilf128, floorf128, truncf128)
    }
}

void labrys_float_fma(int format, const void *pa, const void *pb, const void *pc, void *out)
{
    memset(out, 0, 16);
    if (format == 16) {
        _Float16 x, y, z, r;
        memcpy(&x, pa, 2), memcpy(&y, pb, 2), memcpy(&z, pc, 2);
        r = (_Float16)((double)x * (double)y + (double)z);
        memcpy(out, &r, 2);
    } else if (format == 80) {
        long double x, y, z, r;
        memcpy(&x, pa, 16), memcpy(&y, pb, 16), memcpy(&z, pc, 16);
        r = fmal(x, y, z);
        memcpy(out, &r, 10);
    } else if (format == 128) {
        _Float128 x, y, z, r;
        memcpy(&x, pa, 16), memcpy(&y, pb, 16), memcpy(&z, pc, 16);
        r = fmaf128(x, y, z);
        memcpy(out, &r, 16);
    }
}

#define COMPARE(T)                                                                                \
    {                                                                                             \
        T x, y;                                                                                   \
        memcpy(&x, pa, sizeof x);                                                                 \
        memcpy(&y, pb, sizeof y);                                                                 \
        return x == y ? 0 : x < y ? -1 : x > y ? 1 : 2;                                           \
    }

/* -1 less, 0 equal, 1 greater, 2 unordered */
int labrys_float_compare(int format, const void *pa, const void *pb)
{
    switch (format) {
    case 16: COMPARE(_Float16)
    case 80: COMPARE(long double)
    case 128: COMPARE(_Float128)
    }
    return 2;
}

/* Any format to any format. */
void labrys_float_convert(int from, int to, const void *pa, void *out)
{
#define TO(T, n)                                                                                  \
    {                                                                                             \
        T r = (T)x;                                                                               \
        memcpy(out, &r, n);                                                                       \
        break;                                                                                    \
    }
#define FROM(T)                                                                                   \
    {                                                                                             \
        T x;                                                                                      \
        memcpy(&x, pa, sizeof x);                                                                 \
        switch (to) {                                                                             \
        case 16: TO(_Float16, 2)                                                                  \
        case 32: TO(float, 4)                                                                     \
        case 64: TO(double, 8)                                                                    \
        case 80: TO(long double, 10)                                                              \
        case 128: TO(_Float128, 16)                                                               \
        }                                                                                         \
        break;                                                                                    \
    }
    memset(out, 0, 16);
    switch (from) {
    case 16: FROM(_Float16)
    case 32: FROM(float)
    case 64: FROM(double)
    case 80: FROM(long double)
    case 128: FROM(_Float128)
    }
}

/* A signed or unsigned 128-bit integer to a format. */
void labrys_float_from_int(int format, int is_signed, const void *pa, void *out)
{
    unsigned __int128 u;
    __int128 s;
    memcpy(&u, pa, 16);
    memcpy(&s, pa, 16);
    memset(out, 0, 16);
#define FROM_INT(T, n)                                                                            \
    {                                                                                             \
        T r = is_signed ? (T)s : (T)u;                                                            \
        memcpy(out, &r, n);                                                                       \
        break;                                                                                    \
    }
    switch (format) {
    case 16: FROM_INT(_Float16, 2)
    case 32: FROM_INT(float, 4)
    case 64: FROM_INT(double, 8)
    case 80: FROM_INT(long double, 10)
    case 128: FROM_INT(_Float128, 16)
    }
}

/* A format to a signed or unsigned integer of `width` bits, as the compiled program does it. */
void labrys_float_to_int(int format, int is_signed, int width, const void *pa, void *out)
{
    unsigned __int128 r = 0;
#define TO_INT(T)                                                                                 \
    {                                                                                             \
        T x;                                                                                      \
        memcpy(&x, pa, sizeof x);                                                                 \
        if (width > 64)                                                                           \
            r = is_signed ? (unsigned __int128)(__int128)x : (unsigned __int128)x;                \
        else if (is_signed)                                                                       \
            r = (unsigned __int128)(width <= 32 ? (long long)(int)x : (long long)x);              \
        else                                                                                      \
            r = width <= 32 ? (unsigned long long)(long long)x : (unsigned long long)x;           \
        break;                                                                                    \
    }
    switch (format) {
    case 16: TO_INT(_Float16)
    case 32: TO_INT(float)
    case 64: TO_INT(double)
    case 80: TO_INT(long double)
    case 128: TO_INT(_Float128)
    }
    memcpy(out, &r, 16);
}
