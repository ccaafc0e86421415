/* What the annotated samples call: events are counted and written to a file at exit. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern int labrys_main(int, char **);

enum { LIMIT = 1 << 16 };
static unsigned long events[LIMIT];
static unsigned count;
static int jumped = -1;

static void event(unsigned long kind, unsigned long a, unsigned long b, unsigned long value) {
  static unsigned long table[4 * LIMIT]; /* words by hash; 0 is free */
  unsigned long word = kind << 56 | a << 24 | b << 1 | value;
  unsigned long at = (word * 0x9e3779b97f4a7c15ul) >> 40;
  for (;; at++) {
    unsigned long *slot = &table[at % (4 * LIMIT)];
    if (*slot == word || count == LIMIT) return;
    if (*slot) continue;
    *slot = word;
    events[count++] = word;
    return;
  }
}

int labrys_cond(unsigned d, unsigned i, int v) { event(1, d, i, v != 0); return v; }
int labrys_decision(unsigned d, int v) { event(2, d, 0, v != 0); return v; }
void labrys_vector(unsigned d, unsigned long long seen, unsigned long long truth) { (void)d, (void)seen, (void)truth; }
unsigned long long labrys_switch(unsigned id, unsigned long long v) { jumped = (int)id; return v; }
void labrys_case(unsigned id, unsigned index) {
  if (jumped == (int)id) event(3, id, index, 0);
  jumped = -1;
}
void labrys_reach(unsigned id) { event(4, id, 0, 0); }
/* A fault in a predicate makes its label false. */
void *labrys_label_frame[3];
static volatile sig_atomic_t speculating;
void labrys_label_enter(void) { speculating = 1; }
void labrys_label(unsigned id, int p) { speculating = 0; event(5, id, 0, p != 0); }
int labrys_label_open(unsigned id) { (void)id; return 1; }
/* As bitcode there is no way back from a fault: such predicates are skipped. */
int labrys_label_begin(unsigned id) { (void)id; return 0; }
static void on_fault(int number) {
  if (!speculating) _exit(128 + number);
  speculating = 0;
  __asm__ volatile("movq %1, %%rsp\n\tmovq %2, %%rbp\n\tjmpq *%0"
                   : : "a"(labrys_label_frame[0]), "c"(labrys_label_frame[1]), "d"(labrys_label_frame[2]));
}
/* The active mutant is LABRYS_MUTANT, a point and an alternative. */
int labrys_compiler_knows(int value) { return value; }
int labrys_truth(int value) { return value; }
void labrys_touch(const char *flag) { (void)flag; }
unsigned labrys_mutant(unsigned point) {
  static unsigned active[2], alternative[2];
  static int known;
  const char *text = known ? NULL : getenv("LABRYS_MUTANT");
  known = 1;
  if (text) sscanf(text, "%u %u %u %u", &active[0], &alternative[0], &active[1], &alternative[1]);
  return point == active[0] ? alternative[0] : point == active[1] ? alternative[1] : 0;
}
unsigned *labrys_window;
int labrys_come(unsigned point, unsigned *here) {
  *here = labrys_mutant(point);
  return 0;
}
int labrys_try(unsigned point, unsigned *here, void *value, unsigned size) {
  (void)point, (void)here, (void)value, (void)size;
  return 0;
}
/* The harness of main is linked, but not run. */
void labrys_assume(int condition) { (void)condition; }
void labrys_limit(const void *at, unsigned long size, const char *flag) { (void)at, (void)size, (void)flag; }
void labrys_program(const char *name) { (void)name; }
void labrys_stdin(unsigned long most) { (void)most; }
void labrys_rest_of_stdin(unsigned long most) { (void)most; }
void labrys_environment(char **variables) { (void)variables; }
void labrys_end(int status) { exit(status); }
void labrys_exit(int status) { exit(status); }
/* What a program of the language tests has computed. */
void labrys_output(const char *name, const void *data, unsigned long size) {
  fprintf(stderr, "%s ", name);
  for (unsigned long i = 0; i < size; i++) fprintf(stderr, "%02x", ((const unsigned char *)data)[i]);
  fprintf(stderr, "\n");
}

int main(int argc, char **argv) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &action, NULL);
  int status = labrys_main(argc, argv);
  FILE *file = fopen(getenv("LABRYS_EVENTS"), "w");
  for (unsigned i = 0; file && i < count; i++) fprintf(file, "%lu\n", events[i]);
  if (file) fclose(file);
  return status;
}
