// expect: branches 16 feasible 16
// expect: paths 19
// Two inputs of one expression, of which GCC asks for the second one first.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char nondet_char(void);

struct request {
  int kind;
  int size;
};

static int power(int minor, int type) {
  if (minor == 2 && type == 1)
    return 1;
  return minor == 9 ? 2 : 3;
}

static int ask(void) { return __VERIFIER_nondet_int(); }

int main(void) {
  int result = power(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  if (result == 1)
    return 0;
  if (__VERIFIER_nondet_uchar() - __VERIFIER_nondet_uchar() == 77)
    return 1;
  struct request r = {__VERIFIER_nondet_int(), nondet_char() + __VERIFIER_nondet_int()};
  if (r.kind == 300 && r.size == 400)
    return 2;
  if (ask() > __VERIFIER_nondet_int() + 1000)
    return 3;
  return 4;
}
