/* labrys.h: what a program says to Labrys.
 *
 * The same calls are understood by the engine (labrys gen) and implemented natively for
 * replay (replay.c), so one annotated program serves both. */
#ifndef LABRYS_H
#define LABRYS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From here to "Labels of the source" this is also what annotated text begins with, without the
 * comments: crates/labrys-front/src/declarations.rs. */

/* ---- Inputs: each call asks for the next input of the test. ---- */

/* Fills size bytes at ptr with an input. */
void labrys_symbolic(void *ptr, size_t size, const char *name);

/* Ends the run silently, as if it had never been, unless the condition holds. */
void labrys_assume(int condition);

/* Ends the run with this exit status, at once. */
void labrys_exit(int status) __attribute__((noreturn));

/* Reports a fault of that kind ("assertion", "abort", "reach-error") and never returns. */
void labrys_error(const char *kind) __attribute__((noreturn));

/* A _Bool is the lowest bit of one input byte. */
_Bool labrys_bool(const char *name);
char labrys_char(const char *name);
signed char labrys_schar(const char *name);
unsigned char labrys_uchar(const char *name);
short labrys_short(const char *name);
unsigned short labrys_ushort(const char *name);
int labrys_int(const char *name);
unsigned int labrys_uint(const char *name);
long labrys_long(const char *name);
unsigned long labrys_ulong(const char *name);
long long labrys_llong(const char *name);
unsigned long long labrys_ullong(const char *name);
float labrys_float(const char *name);
double labrys_double(const char *name);

/* ---- Harness: used by the code that labrys init writes. ---- */

/* An input pointer: one of the count pointers in choices, chosen without a branch. The input
 * is the number of the choice, an unsigned int below count. */
void *labrys_pick(const char *name, unsigned count, void *const *choices);

/* The size bytes at ptr become those at chosen, a pointer that labrys_pick has returned, without a
 * branch: a union holds one of its members. */
void labrys_choose(void *ptr, const void *chosen, size_t size);

/* The bytes at ptr hold a value that only the harness forces (the end of a string, the last
 * NULL of a list). A run that reads them has touched a limit; flag names the option that
 * raises it. */
void labrys_limit(const void *ptr, size_t size, const char *flag);

/* The size of the object at ptr is a guess of the harness: a run that leaves it has touched a
 * limit and ends, without being an error of the program. */
void labrys_guess(const void *ptr, const char *flag);

/* The harness has made the object at ptr, of elements of stride bytes, for a pointer to lead to. kinds
 * has a letter for each kind of scalar in it: c (characters, _Bool), s, i, l (integers of 2, 4 and 8
 * bytes), f, d, x (floating types), p (pointers), u (not known). Pointers to objects of one group may
 * also lead to each other's objects: to their "start", to the "whole" of a single structure, to all
 * "places" of their elements, or to none (""); nothing else leads to an object that is "alone".
 * records names the type of a structure and the structures in it. */
void labrys_own(const void *ptr, size_t stride, const char *kinds, const char *group,
                const char *choices, const char *records);

/* The same for a variable of the program to which pointers of the group may also lead. */
void labrys_offer(const void *ptr, size_t stride, const char *group, const char *choices);

/* All inputs are made: from here on it is the program that reads and writes. */
void labrys_inputs_made(void);
/* From here on a run rests on this assumption. */
void labrys_touch(const char *flag);
/* The next input of a __VERIFIER_nondet_ function has this name. It is found by it where compilers ask
 * for the inputs of one expression in another order. */
void labrys_name_input(const char *name);

/* The variables of the program hold their initial values, as far as nobody writes them: a run that
 * reads one of them assumes that no earlier call has changed it. */
void labrys_initial_state(void);

/* What follows is one more call, after others. All that can happen in it is looked at in a first call
 * too, whose state nobody knows: so nothing that it assumes counts. */
void labrys_extra_call(void);

/* Does the test say something about this input? A test that was written before the harness asked for
 * it does not; then nothing is called once more. */
int labrys_has_input(const char *name);

/* ---- Stubs: used by the code that stands for functions without a body. ---- */

/* An object of size zero bytes that nobody else has; it may be freed. */
void *labrys_fresh(size_t size);

/* The function got these bytes: it knows what the pointers in them lead to. If constant is not 0, they
 * are pointers to const. */
void labrys_reveal(const void *bytes, size_t size, int constant);

/* The function may have changed all that it knows, and all variables of the program. A run that reads
 * any of it, before writing it, assumes that it has not. */
void labrys_effects(const char *flag);

/* The function has written there: as many of the most bytes at ptr as there are become an input. If
 * end names an option they are a text, and its end is a limit. */
void labrys_havoc(void *ptr, size_t most, const char *name, const char *end);

/* The function has written the pointer at place, or has not: it stays as it is, or becomes one of the
 * count choices. */
void labrys_assign(void *place, const char *name, unsigned count, void *const *choices);

/* A pointer to any place in the object that ptr leads into; the distance from ptr is an input. */
void *labrys_interior(void *ptr, const char *name);

/* ---- What is around a function. ---- */

/* What is left of standard input when the function is called, at most so many bytes: as labrys_stdin,
 * but the bound is that of arrays. */
void labrys_rest_of_stdin(size_t most);

/* ---- Results. ---- */

/* Something that the program under test produced: part of the test's observed outputs. */
void labrys_output(const char *name, const void *ptr, size_t size);

/* ---- Whole programs: used by the harness of main. ---- */

/* From here on a whole program is run, under this name. Its standard output and error, the
 * files that it makes or changes and its exit status are outputs of the test. */
void labrys_program(const char *name);

/* Standard input is a file of at most so many bytes. Its size ("stdin.size") and its bytes
 * ("stdin") are inputs; the bound is a limit, not a fact about the program. */
void labrys_stdin(size_t most);
void labrys_stdin_bytes(const void *bytes, size_t size);

/* There is a file of this name, of at most so many bytes, or it is missing: "file NAME.missing",
 * "file NAME.size" and "file NAME" are inputs. Directories on the way to it are made. There are
 * no other files. */
void labrys_file(const char *name, size_t most);
void labrys_file_bytes(const char *name, const void *bytes, size_t size);

/* The environment, as in environ. */
void labrys_environment(char **variables);

/* The program ends with this status, as if by exit. */
void labrys_end(int status) __attribute__((noreturn));

/* ---- Annotations: inserted by labrys, one for each place that a criterion looks at. ---- */

/* Condition index of the decision was evaluated to value; returns value. */
int labrys_cond(unsigned decision, unsigned index, int value);

/* The decision came out as value; returns value. */
int labrys_decision(unsigned decision, int value);

/* The decision was evaluated: bit i of seen is set if its condition i was evaluated, bit i of truth
 * if it was true. */
void labrys_vector(unsigned decision, unsigned long long seen, unsigned long long truth);

/* A switch statement is about to jump on value, which is returned. */
unsigned long long labrys_switch(unsigned id, unsigned long long value);

/* Control is at a case label of that switch; it counts only if the switch has just jumped. */
void labrys_case(unsigned id, unsigned index);

/* A statement, function or call site was reached. */
void labrys_reach(unsigned id);

/* What a compiler answers to __builtin_constant_p for something that is no constant; another one may
 * answer otherwise. */
int labrys_compiler_knows(int value);

/* The value, of which C only says whether it is 0; compilers differ in the rest. */
int labrys_truth(int value);

/* Which alternative of this mutation point is active; 0 is the original. */
unsigned labrys_mutant(unsigned point);

/* A point whose alternatives are values and change nothing, with others inside:
 *
 *   LABRYS_VALUE(7, int) LABRYS_CHOSEN(7) ? (a - b) : (a + b) LABRYS_VALUE_END(7)
 *
 * Natively the values of several mutants are computed at one visit. A fault in one of them jumps
 * back to the frame, as in a label. */
#ifdef LABRYS_NATIVE
extern void *labrys_label_frame[3];
#define LABRYS_SAVE_FRAME(label)                                                               \
  __asm__ goto(                                                                                \
      "leaq %l0(%%rip), %%rax\n\t"                                                             \
      "movq %%rax, labrys_label_frame(%%rip)\n\t"                                              \
      "movq %%rsp, labrys_label_frame+8(%%rip)\n\t"                                            \
      "movq %%rbp, labrys_label_frame+16(%%rip)"                                               \
      :                                                                                        \
      :                                                                                        \
      : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",             \
        "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",           \
        "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",          \
        "memory", "cc"                                                                         \
      : label)
/* A visit has the alternative, 0 for the original. Whether others are tried when it is computed is
 * not on the stack, where a mutant that reads behind an array would find it; labrys_come says whether
 * that comes first. */
extern unsigned *labrys_window;
int labrys_come(unsigned point, unsigned *here);
int labrys_try(unsigned point, unsigned *here, void *value, unsigned size);
#define LABRYS_CHOSEN(point) labrys_here
#define LABRYS_VALUE(point, type)                                                              \
  __extension__({                                                                              \
    __label__ labrys_again, labrys_fault;                                                      \
    unsigned labrys_here;                                                                      \
    __typeof__(type) labrys_computed;                                                          \
    if (labrys_come(point, &labrys_here))                                                      \
      goto labrys_fault;                                                                       \
  labrys_again:                                                                                \
    labrys_computed = (
#define LABRYS_VALUE_END(point)                                                                \
    );                                                                                         \
    if (labrys_window == &labrys_here) {                                                       \
    labrys_fault:                                                                              \
      if (labrys_try(point, &labrys_here, &labrys_computed, sizeof labrys_computed)) {         \
        LABRYS_SAVE_FRAME(labrys_fault);                                                       \
        goto labrys_again;                                                                     \
      }                                                                                        \
    }                                                                                          \
    labrys_computed;                                                                           \
  })
/* A condition that changes nothing, or its negation. */
#define LABRYS_NEGATED(point) LABRYS_VALUE(point, int) !!(
#define LABRYS_NEGATED_END(point) ) ^ (LABRYS_CHOSEN(point) != 0) LABRYS_VALUE_END(point)
#else
#define LABRYS_CHOSEN(point) labrys_mutant(point)
#define LABRYS_VALUE(point, type) ((__typeof__(type))(
#define LABRYS_VALUE_END(point) ))
#define LABRYS_NEGATED(point) (+((
#define LABRYS_NEGATED_END(point) ) ? !labrys_mutant(point) : labrys_mutant(point)))
#endif

/* A label's predicate is about to be evaluated, unless the result is 0: then the label is covered
 * already. Until the matching labrys_label nothing is an event, no path is forked and nothing
 * lasts. A fault in between makes the label false: then labrys_label_begin returns once more,
 * with 0, as setjmp would with 1. */
int labrys_label_open(unsigned id);
int labrys_label_begin(unsigned id);
void labrys_label(unsigned id, int predicate);

/* Labels in annotated text, as expressions of type void. The predicate of LABRYS_LABEL may fault
 * or branch (p->x, a / b, c ? x : y, calls); that of LABRYS_LABEL_SAFE is plain arithmetic. The
 * engine rolls back by itself; natively a fault inside the predicate jumps back to the frame. The
 * jump is declared under a name of our own, since the annotated text may already hold the
 * declarations of <setjmp.h>. */
#ifdef LABRYS_NATIVE
void labrys_label_enter(void);
#define LABRYS_LABEL(id, ...)                                                                  \
  __extension__({                                                                              \
    __label__ labrys_fault;                                                                    \
    if (labrys_label_open(id)) {                                                               \
      labrys_label_enter();                                                                    \
      LABRYS_SAVE_FRAME(labrys_fault);                                                         \
      labrys_label(id, !!(__VA_ARGS__));                                                       \
    labrys_fault:;                                                                             \
    }                                                                                          \
    (void)0;                                                                                   \
  })
#else
#define LABRYS_LABEL(id, ...)                                                                  \
  (labrys_label_begin(id) ? labrys_label(id, !!(__VA_ARGS__)) : (void)0)
#endif
#define LABRYS_LABEL_SAFE(id, ...)                                                             \
  (labrys_label_open(id) ? labrys_label(id, !!(__VA_ARGS__)) : (void)0)

/* Labels that are questions of the engine only: is the coming evaluation of a decision such that a
 * condition has a value and decides? Native runs report the evaluation itself. */
#ifdef LABRYS_NATIVE
#define LABRYS_HALF(id, ...) ((void)0)
#define LABRYS_HALF_SAFE(id, ...) ((void)0)
#else
#define LABRYS_HALF(id, ...) LABRYS_LABEL(id, __VA_ARGS__)
#define LABRYS_HALF_SAFE(id, ...) LABRYS_LABEL_SAFE(id, __VA_ARGS__)
#endif

/* ---- Labels of the source, as LTest writes them ---- */

/* Covered when the predicate holds here: pc_label(predicate, id, "tag"). Labrys replaces them;
 * for a compiler they are nothing. */
#ifdef __LABRYS__
void pc_label(_Bool predicate, ...);
#elif !defined pc_label
#define pc_label(...) ((void)0)
#endif

#ifdef __cplusplus
}
#endif
#endif
