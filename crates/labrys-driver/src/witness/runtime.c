/* What the harness and the annotations of labrys are in a program for verifiers: inputs are
 * nondeterministic values, and the objective is a call of reach_error. */
extern void abort(void);
extern void *calloc(unsigned long count, unsigned long size);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
void reach_error(void) { abort(); }

_Bool labrys_bool(const char *name) { return __VERIFIER_nondet_bool(); }
char labrys_char(const char *name) { return __VERIFIER_nondet_char(); }
signed char labrys_schar(const char *name) { return (signed char)__VERIFIER_nondet_char(); }
unsigned char labrys_uchar(const char *name) { return __VERIFIER_nondet_uchar(); }
short labrys_short(const char *name) { return __VERIFIER_nondet_short(); }
unsigned short labrys_ushort(const char *name) { return __VERIFIER_nondet_ushort(); }
int labrys_int(const char *name) { return __VERIFIER_nondet_int(); }
unsigned int labrys_uint(const char *name) { return __VERIFIER_nondet_uint(); }
long labrys_long(const char *name) { return __VERIFIER_nondet_long(); }
unsigned long labrys_ulong(const char *name) { return __VERIFIER_nondet_ulong(); }
long long labrys_llong(const char *name) { return __VERIFIER_nondet_longlong(); }
unsigned long long labrys_ullong(const char *name) { return __VERIFIER_nondet_ulonglong(); }
float labrys_float(const char *name) { return __VERIFIER_nondet_float(); }
double labrys_double(const char *name) { return __VERIFIER_nondet_double(); }
void labrys_symbolic(void *ptr, unsigned long size, const char *name) {
  for (unsigned long i = 0; i < size; i++)
    ((unsigned char *)ptr)[i] = __VERIFIER_nondet_uchar();
}
void labrys_havoc(void *ptr, unsigned long most, const char *name, const char *end) {
  labrys_symbolic(ptr, most, name);
}
void labrys_assume(int condition) {
  if (!condition)
    abort();
}
void *labrys_pick(const char *name, unsigned count, void *const *choices) {
  unsigned chosen = __VERIFIER_nondet_uint();
  if (chosen >= count)
    abort();
  return choices[chosen];
}
void labrys_choose(void *ptr, const void *chosen, unsigned long size) {
  for (unsigned long i = 0; i < size; i++)
    ((char *)ptr)[i] = ((const char *)chosen)[i];
}
void *labrys_fresh(unsigned long size) { return calloc(1, size); }
void labrys_assign(void *place, const char *name, unsigned count, void *const *choices) {
  unsigned chosen = __VERIFIER_nondet_uint();
  if (chosen > count)
    abort();
  if (chosen)
    *(void **)place = choices[chosen - 1];
}
void *labrys_interior(void *ptr, const char *name) { return ptr; }
int labrys_has_input(const char *name) { return 1; }
int labrys_compiler_knows(int value) { return 0; }
int labrys_truth(int value) { return value; }
void labrys_exit(int status) { abort(); }
void labrys_error(const char *kind) { abort(); }
void labrys_limit(const void *ptr, unsigned long size, const char *flag) {}
void labrys_guess(const void *ptr, const char *flag) {}
void labrys_own(const void *ptr, unsigned long stride, const char *kinds, const char *group,
                const char *choices, const char *records) {}
void labrys_offer(const void *ptr, unsigned long stride, const char *group, const char *choices) {}
void labrys_inputs_made(void) {}
void labrys_touch(const char *flag) {}
void labrys_initial_state(void) {}
void labrys_extra_call(void) {}
void labrys_reveal(const void *bytes, unsigned long size, int constant) {}
void labrys_effects(const char *flag) {}
void labrys_output(const char *name, const void *ptr, unsigned long size) {}
void labrys_vector(unsigned decision, unsigned long long seen, unsigned long long truth) {}
void labrys_program(const char *name) {}
void labrys_stdin(unsigned long most) {}
void labrys_rest_of_stdin(unsigned long most) {}
void labrys_environment(char **variables) { variables[0] = 0; }
void labrys_end(int status) { abort(); }
unsigned labrys_mutant(unsigned point) { return 0; }

/* The annotations. A case counts if its switch has just jumped there. */
static unsigned labrys_jumped;
int labrys_cond(unsigned decision, unsigned index, int value) { return value; }
int labrys_decision(unsigned decision, int value) { return value; }
unsigned long long labrys_switch(unsigned id, unsigned long long value) {
  labrys_jumped = id + 1;
  return value;
}
