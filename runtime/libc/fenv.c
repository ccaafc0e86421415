/* fenv.c: the floating-point environment. Arithmetic rounds to nearest here; the engine does not know
 * what follows where a program changes that. */
#include "engine.h"

#define ROUNDING "environment: rounding mode"
#define FLAGS "environment: floating-point flags"

enum { ROUNDINGS = 0xc00 };

static void set_rounding(int mode) {
  if (mode != 0)
    labrys_unsupported("rounding other than to nearest");
}

WEAK int fegetround(void) { return (int)labrys_assumed(0, ROUNDING); }

WEAK int fesetround(int mode) {
  if ((mode & ~ROUNDINGS) != 0)
    return 1;
  set_rounding(mode);
  return 0;
}

/* The environment as an object, which says that rounding is to nearest. */
static int get(void *to) {
  __builtin_memset(to, 0, 32);
  labrys_assumed_bytes(to, 32, FLAGS);
  return 0;
}

static int set(const void *from) {
  (void)from;
  return 0;
}

WEAK int fegetenv(void *to) { return get(to); }

WEAK int fesetenv(const void *from) { return set(from); }

WEAK int feholdexcept(void *to) { return get(to); }

WEAK int feupdateenv(const void *from) { return set(from); }

WEAK int feclearexcept(int which) {
  (void)which;
  return 0;
}

WEAK int feraiseexcept(int which) {
  (void)which;
  labrys_touch(FLAGS);
  return 0;
}

WEAK int fetestexcept(int which) {
  (void)which;
  return (int)labrys_assumed(0, FLAGS);
}

WEAK int fegetexceptflag(unsigned short *to, int which) {
  (void)which;
  *to = (unsigned short)labrys_assumed(0, FLAGS);
  return 0;
}

WEAK int fesetexceptflag(const unsigned short *from, int which) {
  (void)from, (void)which;
  labrys_touch(FLAGS);
  return 0;
}

WEAK int fegetexcept(void) { return 0; }

/* A division may then raise SIGFPE. */
WEAK int feenableexcept(int which) {
  (void)which;
  labrys_unsupported("floating-point exceptions that are enabled");
}

WEAK int fedisableexcept(int which) {
  (void)which;
  return 0;
}
