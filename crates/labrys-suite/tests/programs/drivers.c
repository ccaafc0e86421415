/* Drivers as other tools have them, one harness each. Nothing here is defined by the program. */
#include <crest.h>
#include <klee/klee.h>
#include <labels.h>

#include "labrys.h"

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);
extern int nondet_int(void);

static void show(long value) { labrys_output("value", &value, sizeof value); }

void labrys_harness_klee(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 0);
  y = klee_range(0, 10, "y");
  klee_prefer_cex(&x, x == 1);
  if (klee_is_symbolic(x) || klee_get_value_i32(x) != x)
    klee_abort();
  if (x == 99)
    klee_silent_exit(0);
  if (x == 98)
    klee_report_error("f.c", 1, "bad", "err");
  show(x * 100 + y + klee_int("z"));
}

void labrys_harness_verifier(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x != 0);
  if (x < 0)
    reach_error();
  show(x + __VERIFIER_nondet_bool() + __VERIFIER_nondet_uchar() +
       (long)__VERIFIER_nondet_ulong() + (long)__VERIFIER_nondet_double());
}

void labrys_harness_crest(void) {
  int x;
  unsigned char c;
  short s;
  CREST_int(x);
  CREST_unsigned_char(c);
  CREST_short(s);
  show(x + c + s);
}

void labrys_harness_cbmc(void) {
  int x = nondet_int();
  __CPROVER_assume(x > 0);
  __CPROVER_assert(x != 5, "not five");
  pc_label(x == 1, 1, "A");
  show(x);
}
