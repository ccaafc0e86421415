/* native.c: pure functions of the C library, to be called on concrete values.
 *
 * Each entry has a name, a shape, the floating type that R means in it, and a call. The compiler
 * checks that they agree, and it knows how long double and complex numbers are passed. A shape is
 * the result and, behind the underscore, the arguments: R real, C complex, I int, L long, H short,
 * X long double, S a string, V nothing; p is a result through a pointer. Values are in slots of 16
 * bytes: the arguments that are no pointers one after the other, complex numbers in two slots; the
 * results likewise, the returned value first. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/sysmacros.h>

typedef struct {
  _Alignas(16) unsigned char bytes[16];
} Slot;

typedef struct {
  const char *name;
  const char *shape;
  char type;
  void (*call)(const Slot *in, Slot *out);
} Entry;

#define GET(type, slot) (*(const type *)(slot).bytes)
#define PUT(type, slot, value) (*(type *)(slot).bytes = (value))
/* The real and imaginary parts of a complex number are in two slots. */
#define GET_C(real, k)                                                                         \
  ({                                                                                           \
    real _Complex z;                                                                           \
    ((real *)&z)[0] = GET(real, in[k]);                                                        \
    ((real *)&z)[1] = GET(real, in[(k) + 1]);                                                  \
    z;                                                                                         \
  })
#define PUT_C(real, value)                                                                     \
  do {                                                                                         \
    real _Complex z = (value);                                                                 \
    PUT(real, out[0], ((real *)&z)[0]);                                                        \
    PUT(real, out[1], ((real *)&z)[1]);                                                        \
  } while (0)

#define DEFINE(function, body)                                                                 \
  static void call_##function(const Slot *in, Slot *out) {                                     \
    (void)in;                                                                                  \
    (void)out;                                                                                 \
    body;                                                                                      \
  }

/* For each shape of a function: what a call of it looks like. R is its floating type. */
#define R_R(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]))))
#define R_RR(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]), GET(R, in[1]))))
#define R_RRR(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]), GET(R, in[1]), GET(R, in[2]))))
#define R_RI(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]), GET(int, in[1]))))
#define R_RL(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]), GET(long, in[1]))))
#define R_IR(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(int, in[0]), GET(R, in[1]))))
#define R_RX(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(R, in[0]), GET(long double, in[1]))))
#define R_Rpi(fn, R)                                                                           \
  DEFINE(fn, int n = 0; PUT(R, out[0], fn(GET(R, in[0]), &n)); PUT(int, out[1], n))
#define R_RpR(fn, R)                                                                           \
  DEFINE(fn, R n = 0; PUT(R, out[0], fn(GET(R, in[0]), &n)); PUT(R, out[1], n))
#define R_RRpi(fn, R)                                                                          \
  DEFINE(fn, int n = 0; PUT(R, out[0], fn(GET(R, in[0]), GET(R, in[1]), &n)); PUT(int, out[1], n))
#define V_RpRpR(fn, R)                                                                         \
  DEFINE(fn, R a = 0; R b = 0; fn(GET(R, in[0]), &a, &b); PUT(R, out[0], a); PUT(R, out[1], b))
#define I_R(fn, R) DEFINE(fn, PUT(int, out[0], fn(GET(R, in[0]))))
#define L_R(fn, R) DEFINE(fn, PUT(long, out[0], fn(GET(R, in[0]))))
#define R_S(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET(const char *, in[0]))))
#define C_C(fn, R) DEFINE(fn, PUT_C(R, fn(GET_C(R, 0))))
#define C_CC(fn, R) DEFINE(fn, PUT_C(R, fn(GET_C(R, 0), GET_C(R, 2))))
#define R_C(fn, R) DEFINE(fn, PUT(R, out[0], fn(GET_C(R, 0))))

/* A function in its three types. */
#define THREE(shape, fn) shape(fn, double) shape(fn##f, float) shape(fn##l, long double)

/* The functions that there are in three types. */
#define EACH(X) \
  X(R_R, acos) X(R_R, asin) X(R_R, atan) X(R_R, cos) X(R_R, sin) X(R_R, tan) \
  X(R_R, acosh) X(R_R, asinh) X(R_R, atanh) X(R_R, cosh) X(R_R, sinh) X(R_R, tanh) \
  X(R_R, exp) X(R_R, exp2) X(R_R, exp10) X(R_R, expm1) X(R_R, log) X(R_R, log10) \
  X(R_R, log1p) X(R_R, log2) X(R_R, logb) X(R_R, cbrt) X(R_R, erf) X(R_R, erfc) \
  X(R_R, lgamma) X(R_R, gamma) X(R_R, tgamma) X(R_R, j0) X(R_R, j1) X(R_R, y0) X(R_R, y1) \
  X(R_R, significand) X(R_R, nextup) X(R_R, nextdown) X(R_RR, atan2) X(R_RR, pow) \
  X(R_RR, hypot) X(R_RR, remainder) X(R_RR, drem) X(R_RR, nextafter) X(R_RR, fdim) \
  X(R_RR, scalb) X(R_RR, fmaxmag) X(R_RR, fminmag) X(R_RI, ldexp) X(R_RI, scalbn) \
  X(R_RL, scalbln) X(R_IR, jn) X(R_IR, yn) X(R_RX, nexttoward) X(R_Rpi, frexp) \
  X(R_RpR, modf) X(R_RRpi, remquo) X(V_RpRpR, sincos) X(I_R, ilogb) X(L_R, llogb) \
  X(R_S, nan) X(C_C, cacos) X(C_C, casin) X(C_C, catan) X(C_C, ccos) X(C_C, csin) \
  X(C_C, ctan) X(C_C, cacosh) X(C_C, casinh) X(C_C, catanh) X(C_C, ccosh) X(C_C, csinh) \
  X(C_C, ctanh) X(C_C, cexp) X(C_C, clog) X(C_C, clog10) X(C_C, csqrt) X(C_C, cproj) \
  X(C_CC, cpow) X(R_C, cabs) X(R_C, carg)

#define CALLS(shape, fn) THREE(shape, fn)
EACH(CALLS)
R_Rpi(lgamma_r, double) R_Rpi(lgammaf_r, float) R_Rpi(lgammal_r, long double)

static void call_htonl(const Slot *in, Slot *out) { PUT(unsigned, out[0], htonl(GET(unsigned, in[0]))); }
static void call_htons(const Slot *in, Slot *out) {
  PUT(unsigned short, out[0], htons(GET(unsigned short, in[0])));
}
static void call_major(const Slot *in, Slot *out) {
  PUT(unsigned, out[0], gnu_dev_major(GET(unsigned long, in[0])));
}
static void call_minor(const Slot *in, Slot *out) {
  PUT(unsigned, out[0], gnu_dev_minor(GET(unsigned long, in[0])));
}
static void call_makedev(const Slot *in, Slot *out) {
  PUT(unsigned long, out[0], gnu_dev_makedev(GET(unsigned, in[0]), GET(unsigned, in[1])));
}

#define ENTRIES(shape, fn)                                                                     \
  {#fn, #shape, 'd', call_##fn}, {#fn "f", #shape, 'f', call_##fn##f},                         \
      {#fn "l", #shape, 'x', call_##fn##l},
static const Entry entries[] = {
    EACH(ENTRIES)
    {"lgamma_r", "R_Rpi", 'd', call_lgamma_r},
    {"lgammaf_r", "R_Rpi", 'f', call_lgammaf_r},
    {"lgammal_r", "R_Rpi", 'x', call_lgammal_r},
    {"htonl", "I_I", 'i', call_htonl},
    {"ntohl", "I_I", 'i', call_htonl},
    {"htons", "H_H", 'i', call_htons},
    {"ntohs", "H_H", 'i', call_htons},
    {"gnu_dev_major", "I_L", 'i', call_major},
    {"gnu_dev_minor", "I_L", 'i', call_minor},
    {"gnu_dev_makedev", "L_II", 'i', call_makedev},
};

int labrys_native_count(void) { return sizeof entries / sizeof *entries; }

const char *labrys_native_name(int index) { return entries[index].name; }

const char *labrys_native_shape(int index) { return entries[index].shape; }

int labrys_native_type(int index) { return entries[index].type; }

/* The error number that the call set, 0 if none. */
int labrys_native_call(int index, const Slot *in, Slot *out) {
  int kept = errno;
  errno = 0;
  entries[index].call(in, out);
  int set = errno;
  errno = kept;
  return set;
}
