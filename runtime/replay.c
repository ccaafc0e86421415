/* replay.c: runs the tests of a job natively and measures what they cover.
 *
 * Linked with the annotated program, and started by the launcher in a sandbox (sandbox/launch.c) as
 * `replay USER`. It is one process for a whole suite: it forks a child for each test, so that a test
 * can crash, hang or scribble without harm. The child becomes the user and gives up what is left of
 * its privileges. It records what it does into shared memory, so whatever happened before a crash
 * counts. The job and the result are files that are open from the start, in the formats of
 * crates/labrys-suite/src/wire.rs, little endian.
 *
 * Linked with -Wl,--wrap=main: the program under test may have a main of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "labrys.h"
#include "replay.h"
#include "sandbox/sandbox.h"
#include "split.h"

struct Record *record; /* null outside a child: events are dropped */

static int is_first_process; /* of a process namespace: its end is the end of all others */

/* ---- The job ---- */

struct Job {
  const unsigned char *data;
  size_t size, at;
  int broken;
};

void die(const char *what) {
  fprintf(stderr, "replay: %s: %s\n", what, strerror(errno));
  _exit(2);
}

static const unsigned char *take(struct Job *job, size_t size) {
  static const unsigned char nothing[8];
  if (job->broken || size > job->size - job->at) {
    job->broken = 1;
    return nothing;
  }
  job->at += size;
  return job->data + job->at - size;
}

static uint32_t take32(struct Job *job) {
  uint32_t value;
  memcpy(&value, take(job, sizeof value), sizeof value);
  return value;
}

static uint64_t take64(struct Job *job) {
  uint64_t value;
  memcpy(&value, take(job, sizeof value), sizeof value);
  return value;
}

void *take_memory(size_t size) {
  void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED)
    die("no memory for the job");
  return place;
}

/* ---- Ends of a run ---- */

static void finish(enum Ending ending) __attribute__((noreturn));
static void finish(enum Ending ending) {
  record->ending = ending;
  fflush(NULL);
  dump_coverage();
  _exit(0);
}

void finish_with(enum Ending ending, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(record->detail, sizeof record->detail, format, arguments);
  va_end(arguments);
  finish(ending);
}

void labrys_assume(int condition) {
  if (!condition && record)
    finish(ASSUME_VIOLATED);
}

void labrys_exit(int status) {
  fflush(NULL);
  if (record)
    dump_coverage();
  _exit(status);
}

/* The predicate of a label is being evaluated; a fault jumps to the frame. There is only one:
 * a label inside the predicate of another is not measured. */
void *labrys_label_frame[3]; /* where to go on, stack pointer, frame pointer */
static int in_label;

static void leave_label(void) {
  if (in_label) {
    in_label = 0;
    __asm__ volatile("movq %1, %%rsp\n\tmovq %2, %%rbp\n\tjmpq *%0"
                     :
                     : "a"(labrys_label_frame[0]), "c"(labrys_label_frame[1]),
                       "d"(labrys_label_frame[2])
                     : "memory");
    __builtin_unreachable();
  }
}

void enter_guard(void) { in_label = 1; }

int leave_guard(void) {
  int was_inside = in_label;
  in_label = 0;
  return was_inside;
}

void labrys_error(const char *kind) {
  leave_label();
  if (!record)
    abort();
  finish_with(ERROR_REPORTED, "%s", kind);
}

static void on_fault(int signal_number, siginfo_t *info, void *context);

/* As abort does, if the program has a handler of SIGABRT. */
static void call_abort_handler(void) {
  struct sigaction now;
  if (record && sigaction(SIGABRT, NULL, &now) == 0 && now.sa_sigaction != on_fault &&
      now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) {
    raise(SIGABRT);
    __real_signal(SIGABRT, SIG_DFL);
  }
}

/* Takes the place of the C library's: tells a failed assertion from an abort. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  leave_label();
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?",
          text);
  call_abort_handler();
  labrys_error("assertion");
}

/* ---- Events ---- */

static unsigned pending_switch;
static int switch_is_pending;

/* Neighbouring annotations share a page: ids are spread by addition, not by mixing. */
void cover(uint64_t word, uint32_t place) {
  for (;; place++) {
    uint64_t *slot = &record->slots[place & (SLOTS - 1)];
    if (*slot == word)
      return;
    if (*slot == 0) {
      if (record->trigger_count == MAX_TRIGGERS) {
        record->flags |= TRIGGERS_LOST;
        return;
      }
      *slot = word;
      record->triggers[record->trigger_count++] = word;
      return;
    }
  }
}

uint64_t word_of(uint32_t kind, uint32_t a, uint32_t b, uint32_t value) {
  return ((uint64_t)kind << 56) ^ ((uint64_t)a << 24) ^ ((uint64_t)b << 1) ^ value;
}

/* The same word and fold as crates/labrys-ledger/src/trace.rs. */
static void event(uint32_t kind, uint32_t a, uint32_t b, uint32_t value) {
  uint64_t word = word_of(kind, a, b, value);
  if (!record || in_label || is_splitting)
    return;
  record->trace = (record->trace ^ word) * LABRYS_TRACE_FACTOR;
  cover(word, (kind << 19) + (a << 2) + (b << 1) + value);
}

int labrys_cond(unsigned decision, unsigned index, int value) {
  event(EVENT_CONDITION, decision, index, value != 0);
  return value;
}

int labrys_decision(unsigned decision, int value) {
  event(EVENT_DECISION, decision, 0, value != 0);
  return value;
}

/* Follows from the conditions, so it is no part of the trace. */
void labrys_vector(unsigned decision, unsigned long long seen, unsigned long long truth) {
  uint64_t place;
  if (!record || in_label || is_splitting)
    return;
  place = (seen ^ truth << 1 ^ truth >> 63 ^ (uint64_t)decision << 32) *
          UINT64_C(0x9e3779b97f4a7c15) >> 40;
  for (;; place++) {
    uint32_t *slot = &record->vector_slots[place & (VECTOR_SLOTS - 1)];
    struct Vector *vector;
    if (*slot == 0) {
      if (record->vector_count >= MAX_VECTORS) {
        record->flags |= VECTORS_LOST;
        return;
      }
      vector = &record->vectors[record->vector_count];
      vector->decision = decision;
      vector->seen = seen;
      vector->truth = truth;
      *slot = ++record->vector_count;
      return;
    }
    vector = &record->vectors[(*slot - 1) % MAX_VECTORS];
    if (vector->decision == decision && vector->seen == seen && vector->truth == truth)
      return;
  }
}

unsigned long long labrys_switch(unsigned id, unsigned long long value) {
  if (in_label)
    return value;
  pending_switch = id;
  switch_is_pending = 1;
  return value;
}

void labrys_case(unsigned id, unsigned index) {
  if (switch_is_pending && pending_switch == id && !in_label) {
    switch_is_pending = 0;
    event(EVENT_CASE, id, index, 0);
  }
}

void labrys_reach(unsigned id) { event(EVENT_REACH, id, 0, 0); }

int labrys_compiler_knows(int value) { return value; }
int labrys_truth(int value) { return value; }

/* The labels that this run has covered, by id; larger ids are looked up among the triggers. */
static unsigned char labels_done[1 << 20];

/* A label costs one look once it is covered, however many there are. */
int labrys_label_open(unsigned id) {
  if (!record || in_label || is_splitting)
    return 0;
  return id >= sizeof labels_done || !labels_done[id];
}

/* What LABRYS_LABEL does not use natively: a fault is not caught. */
int labrys_label_begin(unsigned id) { return labrys_label_open(id); }

void labrys_label_enter(void) { enter_guard(); }

void labrys_label(unsigned id, int predicate) {
  in_label = 0;
  /* Whether a label holds is no part of the path, and so not of its trace. */
  if (predicate && record && !is_splitting) {
    cover(word_of(COVERED_LABEL, id, 0, 1), (COVERED_LABEL << 19) + (id << 2));
    if (id < sizeof labels_done)
      labels_done[id] = 1;
  }
}

/* ---- Outputs ---- */

void labrys_limit(const void *ptr, size_t size, const char *flag) {
  (void)ptr, (void)size, (void)flag;
}

void labrys_guess(const void *ptr, const char *flag) { (void)ptr, (void)flag; }

void labrys_own(const void *ptr, size_t stride, const char *kinds, const char *group,
                const char *choices, const char *records) {
  (void)ptr, (void)stride, (void)kinds, (void)group, (void)choices, (void)records;
}

void labrys_offer(const void *ptr, size_t stride, const char *group, const char *choices) {
  (void)ptr, (void)stride, (void)group, (void)choices;
}

void labrys_inputs_made(void) {}
void labrys_touch(const char *flag) { (void)flag; }

void labrys_initial_state(void) {}

void labrys_extra_call(void) {}

void labrys_reveal(const void *bytes, size_t size, int constant) {
  (void)bytes, (void)size, (void)constant;
}

void labrys_effects(const char *flag) { (void)flag; }

int record_value(unsigned char *to, uint32_t *used, const char *name, const void *bytes,
                 size_t size) {
  size_t name_size = strlen(name);
  uint32_t sizes[2] = {(uint32_t)name_size, (uint32_t)size};
  if (*used > OUTPUT_BYTES || name_size > OUTPUT_BYTES || size > OUTPUT_BYTES ||
      sizeof sizes + name_size + size > OUTPUT_BYTES - *used) {
    record->flags |= OUTPUTS_LOST;
    return 0;
  }
  memcpy(to + *used, sizes, sizeof sizes);
  memcpy(to + *used + sizeof sizes, name, name_size);
  memcpy(to + *used + sizeof sizes + name_size, bytes, size);
  *used += (uint32_t)(sizeof sizes + name_size + size);
  return 1;
}

void labrys_output(const char *name, const void *ptr, size_t size) {
  /* Counted last: a crash in the copy leaves no half output. */
  if (record && record_value(record->outputs, &record->output_bytes, name, ptr, size))
    record->output_count++;
}

/* ---- The child ---- */

/* A fault in a label's predicate makes the label false. Any other goes its usual way: back to
 * the default action, and the instruction faults again. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  leave_label();
  dump_coverage();
  __real_signal(signal_number, SIG_DFL);
  if (info->si_code <= 0)
    raise(signal_number);
}

static void catch_faults(void) {
  static char stack[1 << 16];
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {0};
  stack_t alternate = {0};
  unsigned i;
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, NULL);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (i = 0; i < sizeof faults / sizeof *faults; i++)
    sigaction(faults[i], &action, NULL);
}

static void limit(int resource, uint64_t soft) {
  struct rlimit value;
  /* Not getrlimit, which overrides.c has for the program. */
  if (prlimit(0, resource, NULL, &value) != 0)
    return;
  if (value.rlim_max == RLIM_INFINITY || soft < value.rlim_max)
    value.rlim_cur = soft;
  /* The file size limit is raised once more to write coverage counters. */
  if (resource != RLIMIT_FSIZE || !measures_coverage())
    value.rlim_max = value.rlim_cur;
  setrlimit(resource, &value);
}

extern int __real_main(int argc, char **argv, char **environment) __attribute__((weak));

static char *program_arguments[] = {(char *)"program", NULL};

/* libFuzzer's entry has the whole file as its parameter. */
static void run_fuzz_target(void) {
  int (*prepare)(int *, char ***);
  int (*target)(const uint8_t *, size_t);
  uint8_t *data = malloc(test_inputs.list[0].size);
  char **argv = program_arguments;
  int argc = 1;
  *(void **)&prepare = dlsym(RTLD_DEFAULT, "LLVMFuzzerInitialize");
  *(void **)&target = dlsym(RTLD_DEFAULT, "LLVMFuzzerTestOneInput");
  if (!target)
    finish_with(NO_HARNESS, "the program has no function LLVMFuzzerTestOneInput");
  errno = 0;
  if (prepare)
    prepare(&argc, &argv);
  if (data)
    memcpy(data, test_inputs.list[0].bytes, test_inputs.list[0].size);
  target(data, data ? test_inputs.list[0].size : 0);
  finish(RETURNED);
}

static void run_main(void) {
  static char *environment[] = {NULL};
  exit(__real_main(1, program_arguments, environment));
}

/* What runs the test. */
static void (*find_harness(const char *harness))(void) {
  void (*function)(void);
  if (test_inputs.mode == STREAM && strcmp(harness, LABRYS_HARNESS_PREFIX "LLVMFuzzerTestOneInput") == 0)
    return run_fuzz_target;
  *(void **)&function = dlsym(RTLD_DEFAULT, harness);
  if (function)
    return function;
  if (strcmp(harness, LABRYS_HARNESS_PREFIX "main") != 0 || !__real_main)
    finish_with(NO_HARNESS, "the program has no function %s", harness);
  return run_main;
}

/* ---- Other addresses ---- */

enum {
  ADDRESS_UNIT = 16,
  ADDRESS_SPAN = 1 << 16,
  PAGE = 1 << 12,
  USED_STACK = 16 * PAGE /* no call of this program in the parent goes deeper */
};

/* How far it is from an address to the next one that is so many units behind a multiple of the
 * span. */
static size_t way_to(uintptr_t address, uint32_t units) {
  return ((uintptr_t)units * ADDRESS_UNIT - address) % ADDRESS_SPAN;
}

/* The next small object on the heap lies so many units behind a multiple of the span. What was
 * freed before the test is taken first: an object that is put there would lie at the same place in
 * every run. */
static void move_heap(uint32_t units) {
  enum { LARGEST = 1024, MOST_OF_ONE_SIZE = 4096, HEAD = 8 };
  uintptr_t last = 0, mark = (uintptr_t)malloc(ADDRESS_SPAN);
  size_t size, i;
  for (size = 2 * ADDRESS_UNIT; size <= LARGEST; size += ADDRESS_UNIT)
    for (i = 0; i < MOST_OF_ONE_SIZE; i++) {
      last = (uintptr_t)malloc(size - HEAD) + size;
      if (last > mark)
        break;
    }
  size = way_to(last, units);
  if (size == ADDRESS_UNIT) /* no object is as small as that */
    size += ADDRESS_SPAN;
  if (size > 0)
    *(volatile char *)malloc(size - HEAD) = 0;
}

/* Calls a function with this stack, and with zeros in all registers. */
void call_on_stack(void (*function)(void), void *stack) __attribute__((noreturn));
void has_returned(void) { finish(RETURNED); }
__asm__(".text\n"
        ".globl labrys_replay_call_on_stack\n"
        "labrys_replay_call_on_stack:\n\t"
        "movq %rsi, %rsp\n\t"
        "movq %rdi, %rax\n\t"
        "xorl %ebx, %ebx\n\txorl %ecx, %ecx\n\txorl %edx, %edx\n\t"
        "xorl %esi, %esi\n\txorl %edi, %edi\n\txorl %ebp, %ebp\n\t"
        "xorl %r8d, %r8d\n\txorl %r9d, %r9d\n\txorl %r10d, %r10d\n\txorl %r11d, %r11d\n\t"
        "xorl %r12d, %r12d\n\txorl %r13d, %r13d\n\txorl %r14d, %r14d\n\txorl %r15d, %r15d\n\t"
        "call *%rax\n\t"
        "call labrys_replay_has_returned@PLT\n\t"
        "ud2\n");

/* Runs a test. For 0 its objects lie anywhere. Else they lie so many units behind a multiple of the
 * span, on the heap and on the stack, and the test finds nothing on its stack that depends on the
 * job: below is what nobody has used, above are zeros and then a page that is closed. */
static void run_harness(const char *harness, uint32_t units) {
  void (*function)(void) = find_harness(harness);
  char *stack, *closed;
  /* What messages begin with, as in the models; the harness of a whole program knows better. */
  program_invocation_name = program_invocation_short_name = program_arguments[0];
  errno = 0; /* as at the start of a program */
  if (units > 0) {
    move_heap(units);
    stack = (char *)__builtin_frame_address(0) - USED_STACK;
    stack -= ADDRESS_SPAN - way_to((uintptr_t)stack, units);
    closed = stack + 2 * PAGE - (uintptr_t)stack % PAGE;
    memset(stack, 0, (size_t)(closed - stack));
    mprotect(closed, PAGE, PROT_NONE);
    errno = 0;
    call_on_stack(function, stack);
  }
  function();
  finish(RETURNED);
}

/* What the system does not allow is noted. The program that runs the tests is the first process of
 * its namespace, if it has one. */
static void confine(int user) {
  uint32_t report[PROTECTIONS] = {0};
  unsigned i;
  report[PROCESS_NAMESPACE] = is_first_process ? 0 : EPERM;
  confine_test(report, user);
  for (i = 0; i < PROTECTIONS; i++)
    if (report[i] && i != PROCESS_NAMESPACE)
      record->missing |= 1u << i;
}

extern char **environ;
static char *no_variables[] = {NULL}; /* not null, as in the models */

static void become_child(const char *harness, const struct Place *place,
                         const struct Limits *limits, int splits) {
  const char *directory;
  sigset_t none;
  int i;
  setpgid(0, 0);
  for (i = 0; i < 3; i++)
    if (dup2(place->streams[i], i) < 0)
      _exit(2);
  if (!splits)
    closefrom(3);
  else if (!keep_streams(limits->open_files))
    give_up_splitting();
  if (chdir(place->directory) != 0)
    _exit(2);
  confine(place->user);
  /* Behind the change of the user, which would take it back. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  environ = no_variables;
  umask(022);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits->wall_ms / 1000 + 2);
  limit(RLIMIT_AS, limits->memory_bytes);
  limit(RLIMIT_FSIZE, limits->file_bytes);
  limit(RLIMIT_NOFILE, limits->open_files);
  catch_faults();
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  /* Nothing printed before a crash is lost. */
  if (!limits->buffers_output)
    setvbuf(stdout, NULL, _IONBF, 0);
  prepare_counters(place, !(record->missing >> ROOT_DIRECTORY & 1));
  directory = record->missing >> ROOT_DIRECTORY & 1 ? place->directory : "/";
  if (splits)
    begin_splitting(limits, directory);
  run_harness(harness, limits->address_shift);
}

/* ---- The parent ---- */

static uint64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Waits for the child until the time is over, then kills it. Returns whether it was killed. */
static int wait_for(pid_t child, uint32_t wall_ms, int *status) {
  uint64_t end = now_ms() + wall_ms;
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  while (waitpid(child, status, WNOHANG) != child) {
    uint64_t now = now_ms();
    struct timespec rest;
    if (now >= end) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      waitpid(child, status, 0);
      return 1;
    }
    rest.tv_sec = (time_t)((end - now) / 1000);
    rest.tv_nsec = (long)((end - now) % 1000) * 1000000;
    sigtimedwait(&child_ended, NULL, &rest);
  }
  return 0;
}

/* Kills what the child left behind, also what left its process group. As the first process of a
 * namespace we can kill all at once; else, as a subreaper, we are the parent of all orphans. */
static void kill_orphans(pid_t child) {
  char path[64];
  int rounds;
  kill(-child, SIGKILL);
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (rounds = 0; rounds < 1000; rounds++) {
    int orphan;
    FILE *children;
    pid_t reaped = waitpid(-1, NULL, WNOHANG);
    if (reaped < 0)
      return;
    if (reaped > 0)
      continue;
    if (is_first_process) {
      kill(-1, SIGKILL);
    } else {
      children = fopen(path, "r");
      if (!children)
        return;
      while (fscanf(children, "%d", &orphan) == 1)
        kill(orphan, SIGKILL);
      fclose(children);
    }
    waitpid(-1, NULL, 0);
  }
}

static void take_inputs(struct Job *job) {
  struct Inputs *to = &test_inputs;
  uint32_t n;
  to->mode = take32(job);
  to->count = take32(job);
  to->list = NULL;
  if (to->mode > STREAM || to->count > job->size / 8 || (to->mode == STREAM && to->count != 1))
    job->broken = 1;
  if (job->broken)
    return;
  to->list = take_memory(((size_t)to->count + 1) * sizeof *to->list);
  for (n = 0; n < to->count; n++) {
    struct Input *input = &to->list[n];
    input->name_size = take32(job);
    input->name = (const char *)take(job, input->name_size);
    input->size = take32(job);
    input->bytes = take(job, input->size);
  }
}

/* The changes of a mutant, with zeros behind the last one. */
static void take_changes(struct Job *job, struct Change to[MOST_CHANGES]) {
  uint32_t count = take32(job), n;
  memset(to, 0, MOST_CHANGES * sizeof *to);
  if (count > MOST_CHANGES)
    job->broken = 1;
  for (n = 0; n < count && !job->broken; n++) {
    to[n].point = take32(job);
    to[n].alternative = take32(job);
  }
}

static void take_test(struct Job *job, char harness[1024]) {
  uint32_t size = take32(job);
  const unsigned char *name = take(job, size);
  if (size >= 1024)
    job->broken = 1;
  if (job->broken)
    return;
  memcpy(harness, name, size);
  harness[size] = 0;
  take_changes(job, active_changes);
  most_steps = take64(job);
  take_inputs(job);
}

/* Runs a test and waits for its end. Then the record has what it did. */
static int run_child(const char *harness, struct Place *place, const struct Limits *limits,
                     uint32_t splits, int *status) {
  uint64_t wall_ms = (uint64_t)limits->wall_ms * (splits ? splits + 8 : 1);
  pid_t child;
  int killed;
  record->trace = LABRYS_TRACE_START;
  if (!make_place(place))
    die(place->directory);
  child = fork();
  if (child < 0)
    die("cannot fork");
  if (child == 0)
    become_child(harness, place, limits, splits > 0);
  setpgid(child, child);
  killed = wait_for(child, wall_ms < UINT32_MAX ? (uint32_t)wall_ms : UINT32_MAX, status);
  kill_orphans(child);
  take_counters_back(place);
  if (record->is_program && !killed)
    record_program(place->directory, place->streams, *status);
  return killed;
}

static void end_test(void) {
  munmap(test_inputs.list, ((size_t)test_inputs.count + 1) * sizeof *test_inputs.list);
}

static void run_test(struct Job *job, struct Place *place, const struct Limits *limits,
                     struct Sink *result) {
  char harness[1024];
  int status = 0, killed;
  take_test(job, harness);
  if (job->broken)
    return;
  record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (record == MAP_FAILED)
    die("cannot share memory with the test");
  killed = run_child(harness, place, limits, 0, &status);
  put_result(result, status, killed, place->streams, limits->file_bytes, 1);
  if (fflush(result->file) != 0)
    die("cannot write the result");
  if (!remove_place(place))
    die("cannot remove the files of a test");
  munmap(record, sizeof *record);
  record = NULL;
  end_test();
}

/* ---- Tests with many mutants at once ---- */

/* The mutants of the job, those that a test has told from the original, and by test those of which
 * that has to be seen again, with other addresses. Those that take part in a test have an entry for
 * each of their changes. */
struct JobMutants {
  struct Change (*list)[MOST_CHANGES];
  struct JobMutant *chosen;
  unsigned char *differ, *doubtful;
  uint32_t count, last_point, drops; /* those that differ meet no other test */
  uint32_t second_shift;             /* of the second look; 0 if there is none */
  int is_second_look;
};

static void take_mutants(struct Job *job, struct JobMutants *to) {
  enum { MOST_POINTS = 1 << 24 };
  uint32_t n, k;
  to->drops = take32(job);
  to->second_shift = take32(job);
  to->count = take32(job);
  if (to->count > job->size / 4)
    job->broken = 1;
  if (job->broken || to->count == 0)
    return;
  to->list = take_memory(to->count * sizeof *to->list);
  to->chosen = take_memory(to->count * MOST_CHANGES * sizeof *to->chosen);
  to->differ = take_memory(to->count);
  for (n = 0; n < to->count; n++) {
    take_changes(job, to->list[n]);
    for (k = 0; k < MOST_CHANGES; k++) {
      uint32_t point = to->list[n][k].point;
      if (point > to->last_point)
        to->last_point = point;
      if (point > MOST_POINTS)
        job->broken = 1;
    }
  }
}

/* Which of them take part in a test; also how many changes they have. */
static uint32_t take_chosen(struct Job *job, struct JobMutants *mutants,
                            const unsigned char *doubtful, uint32_t *changes) {
  uint32_t count = take32(job), chosen = 0, n, k;
  *changes = 0;
  for (n = 0; n < count && !job->broken; n++) {
    uint32_t number = take32(job);
    if (number >= mutants->count || chosen == mutants->count) {
      job->broken = 1;
    } else if (mutants->is_second_look ? doubtful[number]
                                       : !mutants->drops || !mutants->differ[number]) {
      const struct Change *list = mutants->list[number];
      for (k = 0; k < MOST_CHANGES && list[k].point; k++) {
        struct JobMutant *to = &mutants->chosen[(*changes)++];
        to->point = list[k].point;
        to->alternative = list[k].alternative;
        to->number = number;
      }
      chosen++;
    }
  }
  return chosen;
}

static const unsigned char *take_bytes(struct Job *job, uint32_t *size) {
  *size = take32(job);
  return take(job, *size);
}

static void take_original(struct Job *job) {
  struct OriginalEnd *end = &original_end;
  end->ending = take32(job);
  end->code = take32(job);
  end->compares = take32(job);
  end->detail = take_bytes(job, &end->detail_size);
  end->outputs = take_bytes(job, &end->output_bytes);
  end->unstable = take_bytes(job, &end->unstable_bytes);
  end->streams[0] = take_bytes(job, &end->stream_bytes[0]);
  end->streams[1] = take_bytes(job, &end->stream_bytes[1]);
}

static void split_test(struct Job *job, struct Place *place, const struct Limits *limits,
                       struct JobMutants *mutants, unsigned char *doubtful, struct Sink *result) {
  const size_t record_size = offsetof(struct Record, triggers);
  char harness[1024];
  int status = 0, killed, is_usable = 1;
  uint32_t chosen, changes;
  take_test(job, harness);
  chosen = take_chosen(job, mutants, doubtful, &changes);
  take_original(job);
  if (job->broken)
    return;
  if (!prepare_splitting(mutants->chosen, changes, mutants->count, mutants->last_point))
    die("cannot share memory with the test");
  if (chosen > 0) {
    record = mmap(NULL, record_size, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (record == MAP_FAILED)
      die("cannot share memory with the test");
    killed = run_child(harness, place, limits, chosen, &status);
    is_usable = matches_original(status, killed, place->streams);
    if (!remove_place(place))
      die("cannot remove the files of a test");
    munmap(record, record_size);
    record = NULL;
  }
  put_splitting(result, is_usable, mutants->differ, doubtful);
  if (fflush(result->file) != 0)
    die("cannot write the result");
  end_test();
}

static void run_tests(struct Job *job, struct Place *place, const struct Limits *limits,
                      struct JobMutants *mutants, uint32_t tests, struct Sink *result) {
  for (place->number = 0; place->number < tests && !job->broken; place->number++)
    if (mutants->count > 0)
      split_test(job, place, limits, mutants,
                 mutants->doubtful + (size_t)place->number * mutants->count, result);
    else
      run_test(job, place, limits, result);
}

static void read_job(struct Job *job) {
  struct stat state;
  if (fstat(JOB_FILE, &state) != 0)
    die("no job");
  job->size = (size_t)state.st_size;
  job->data = mmap(NULL, job->size + 1, PROT_READ, MAP_PRIVATE, JOB_FILE, 0);
  if (job->data == MAP_FAILED)
    die("cannot read the job");
  close(JOB_FILE);
}

/* A test may send signals to this process. The system drops them if it is the first of a namespace
 * and has no handler; a sanitizer or a constructor may have set some. Else they wait for ever. */
static void become_deaf(void) {
  sigset_t all;
  int number;
  for (number = 1; number < NSIG; number++)
    signal(number, SIG_DFL);
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

static void prepare_process(void) {
  is_first_process = getpid() == 1;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_DUMPABLE, 0); /* no test looks into the memory of this process */
  become_deaf();
}

int __wrap_main(int argc, char **argv) {
  struct Job job = {0};
  struct Limits limits;
  struct Place place = {0};
  struct JobMutants mutants = {0};
  struct Sink result = {0};
  static char result_buffer[1 << 14]; /* not on the heap, either */
  uint32_t tests, size;
  size_t first_test;
  if (argc != 2) {
    fprintf(stderr, "usage: replay USER, in the sandbox\n");
    return 2;
  }
  place.user = atoi(argv[1]);
  read_job(&job);
  result.file = fdopen(RESULT_FILE, "wb");
  if (!result.file || setvbuf(result.file, result_buffer, _IOFBF, sizeof result_buffer) != 0)
    die("no result");
  if (memcmp(take(&job, sizeof LABRYS_JOB_MAGIC - 1), LABRYS_JOB_MAGIC, sizeof LABRYS_JOB_MAGIC - 1) != 0)
    job.broken = 1;
  limits.memory_bytes = take64(&job);
  limits.file_bytes = take64(&job);
  limits.wall_ms = take32(&job);
  limits.open_files = take32(&job);
  limits.address_shift = take32(&job);
  limits.buffers_output = take32(&job);
  size = take32(&job);
  snprintf(place.box, sizeof place.box, "%.*s", (int)size, (const char *)take(&job, size));
  take_mutants(&job, &mutants);
  tests = take32(&job);
  first_test = job.at;
  if (tests > job.size)
    job.broken = 1;
  else if (mutants.count > 0)
    mutants.doubtful = take_memory(((size_t)tests + 1) * mutants.count);
  prepare_process();
  run_tests(&job, &place, &limits, &mutants, tests, &result);
  if (mutants.second_shift && !job.broken) {
    job.at = first_test;
    limits.address_shift = mutants.second_shift;
    mutants.is_second_look = 1;
    run_tests(&job, &place, &limits, &mutants, tests, &result);
  }
  if (job.broken) {
    fprintf(stderr, "replay: this is not a job file\n");
    return 2;
  }
  fclose(result.file);
  write_own_counters(&place);
  return 0;
}
