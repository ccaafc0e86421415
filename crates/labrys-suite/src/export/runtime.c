#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct labrys_bytes {
  const char *name;
  size_t size;
  const char *bytes;
};

/* A number of so many bytes, a float, a double, an array; ANY is not looked at. */
#define LABRYS_INT(size, value) size, (const char *)&(const unsigned long long){value}
#define LABRYS_FLOAT(value) sizeof(float), (const char *)&(const float){value}
#define LABRYS_DOUBLE(value) sizeof(double), (const char *)&(const double){value}
#define LABRYS_ARRAY(type, ...) sizeof((type[]){__VA_ARGS__}), (const char *)(const type[]){__VA_ARGS__}
#define LABRYS_ANY(size) size, NULL

struct labrys_test {
  const char *name;
  void (*run)(void);
  const char *outcome;
  /* What it writes to standard output and standard error; NULL for anything. */
  struct {
    size_t size;
    const char *bytes;
  } streams[2];
};

static const struct labrys_bytes *labrys_inputs, *labrys_outputs;
static size_t labrys_input_count, labrys_output_count, labrys_output_at;
static const char *labrys_test_name;
static int labrys_failed, labrys_report, labrys_defined;
static FILE *labrys_messages; /* for people: standard error belongs to the program */
#define LABRYS_LOG (labrys_messages ? labrys_messages : stderr)
#ifdef __GLIBC__
extern char *program_invocation_name, *program_invocation_short_name;
#endif

/* Ends the test: P passed, F failed, E for an error that the program reported itself. */
static void labrys_test_ended(char result) {
  fflush(stdout);
  if (write(labrys_report, &result, 1) != 1)
    fprintf(LABRYS_LOG, "%s: no report\n", labrys_test_name);
  _exit(0);
}

static void labrys_expect(const struct labrys_bytes *inputs, size_t input_count,
                          const struct labrys_bytes *outputs, size_t output_count) {
  labrys_inputs = inputs;
  labrys_input_count = input_count;
  labrys_outputs = outputs;
  labrys_output_count = output_count;
}

/* The first input of this name and size that is left: where C leaves an order of evaluation open,
 * compilers ask in different orders. */
static unsigned char *labrys_taken;

static int labrys_is_taken(size_t n) {
  static const struct labrys_bytes *current;
  if (current != labrys_inputs) {
    current = labrys_inputs;
    labrys_taken = calloc(labrys_input_count + 1, 1);
  }
  return labrys_taken[n];
}

void labrys_symbolic(void *ptr, size_t size, const char *name) {
  const struct labrys_bytes *left = NULL;
  size_t n;
  for (n = 0; n < labrys_input_count; n++) {
    const struct labrys_bytes *input = labrys_inputs + n;
    if (labrys_is_taken(n))
      continue;
    if (input->size == size && strcmp(input->name, name) == 0) {
      memcpy(ptr, input->bytes, size);
      labrys_taken[n] = 1;
      return;
    }
    left = left ? left : input;
  }
  fprintf(LABRYS_LOG, "%s: the program asks for %s (%lu bytes), the test has %s\n", labrys_test_name,
          name, (unsigned long)size, left ? left->name : "no more inputs");
  labrys_test_ended(labrys_defined ? 'F' : 'P');
}

#define LABRYS_SCALAR(type, suffix)                                                            \
  type labrys_##suffix(const char *name) {                                                     \
    type value;                                                                                \
    labrys_symbolic(&value, sizeof value, name);                                               \
    return value;                                                                              \
  }
LABRYS_SCALAR(char, char)
LABRYS_SCALAR(signed char, schar)
LABRYS_SCALAR(unsigned char, uchar)
LABRYS_SCALAR(short, short)
LABRYS_SCALAR(unsigned short, ushort)
LABRYS_SCALAR(int, int)
LABRYS_SCALAR(unsigned int, uint)
LABRYS_SCALAR(long, long)
LABRYS_SCALAR(unsigned long, ulong)
LABRYS_SCALAR(long long, llong)
LABRYS_SCALAR(unsigned long long, ullong)
LABRYS_SCALAR(float, float)
LABRYS_SCALAR(double, double)

_Bool labrys_bool(const char *name) { return labrys_uchar(name) & 1; }

void labrys_choose(void *ptr, const void *chosen, size_t size) {
  if (chosen)
    memcpy(ptr, chosen, size);
}

void *labrys_pick(const char *name, unsigned count, void *const *choices) {
  unsigned choice = labrys_uint(name);
  if (choice >= count) {
    fprintf(LABRYS_LOG, "%s: %s has no choice %u\n", labrys_test_name, name, choice);
    labrys_test_ended('F');
  }
  return choices[choice];
}

void labrys_exit(int status) { exit(status); }

void labrys_assume(int condition) {
  if (!condition) {
    fprintf(LABRYS_LOG, "%s: an assumption does not hold\n", labrys_test_name);
    labrys_test_ended('F');
  }
}

void labrys_error(const char *kind) {
  (void)kind;
  labrys_test_ended(labrys_failed ? 'F' : 'E');
  abort();
}

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

int labrys_has_input(const char *name) { return name != 0; }

void labrys_reveal(const void *bytes, size_t size, int constant) {
  (void)bytes, (void)size, (void)constant;
}

void labrys_effects(const char *flag) { (void)flag; }

void *labrys_fresh(size_t size) {
  void *object = calloc(size ? size : 1, 1);
  if (!object)
    abort();
  return object;
}

/* Standard input with the bytes of the test. */
void labrys_rest_of_stdin(size_t most) {
  unsigned size;
  char *bytes = calloc(most ? most : 1, 1);
  FILE *file = tmpfile();
  labrys_symbolic(&size, sizeof size, "stdin.size");
  if (!bytes || !file || size > most)
    abort();
  labrys_symbolic(bytes, most, "stdin");
  if (fwrite(bytes, 1, size, file) != size || fflush(file) != 0 || lseek(fileno(file), 0, SEEK_SET) != 0 ||
      dup2(fileno(file), 0) != 0)
    abort();
  free(bytes);
}

/* What a function without a body wrote: the bytes of the next input of this name, or nothing where
 * there was no room. */
void labrys_havoc(void *ptr, size_t most, const char *name, const char *end) {
  char no_room[256];
  size_t n;
  (void)end;
  snprintf(no_room, sizeof no_room, "%s (no room)", name);
  for (n = 0; n < labrys_input_count; n++) {
    const struct labrys_bytes *input = labrys_inputs + n;
    if (labrys_is_taken(n))
      continue;
    if (input->size <= most && strcmp(input->name, name) == 0) {
      labrys_symbolic(ptr, input->size, name);
      return;
    }
    if (strcmp(input->name, no_room) == 0) {
      labrys_symbolic(&(char){0}, input->size, no_room);
      return;
    }
  }
  labrys_symbolic(ptr, most, name);
}

void labrys_assign(void *place, const char *name, unsigned count, void *const *choices) {
  void *numbers[16];
  unsigned n;
  void *chosen;
  for (n = 0; n <= count && n < 16; n++)
    numbers[n] = (void *)(choices + n);
  chosen = labrys_pick(name, n, numbers);
  if (chosen && chosen != numbers[0])
    memcpy(place, (char *)chosen - sizeof(void *), sizeof(void *));
}

void *labrys_interior(void *ptr, const char *name) { return (char *)ptr + labrys_long(name); }

/* Labels in the source are no concern of a test. */
int labrys_label_open(unsigned id) {
  (void)id;
  return 0;
}

int labrys_label_begin(unsigned id) {
  (void)id;
  return 0;
}

void labrys_label(unsigned id, int predicate) { (void)id, (void)predicate; }

static void labrys_show(const char *what, const void *ptr, size_t size) {
  size_t i;
  fprintf(LABRYS_LOG, " %s", what);
  for (i = 0; i < size && i < 64; i++)
    fprintf(LABRYS_LOG, " %02x", ((const unsigned char *)ptr)[i]);
}

void labrys_output(const char *name, const void *ptr, size_t size) {
  const struct labrys_bytes *output = labrys_outputs + labrys_output_at;
  if (!labrys_defined)
    return;
  if (labrys_output_at >= labrys_output_count || strcmp(output->name, name) != 0 ||
      output->size != size) {
    fprintf(LABRYS_LOG, "%s: output %s (%lu bytes) is not expected here\n", labrys_test_name, name,
            (unsigned long)size);
    labrys_failed = 1;
  } else if (output->bytes && memcmp(output->bytes, ptr, size) != 0) {
    fprintf(LABRYS_LOG, "%s: %s differs:", labrys_test_name, name);
    labrys_show("expected", output->bytes, size);
    labrys_show("got", ptr, size);
    fputc('\n', LABRYS_LOG);
    labrys_failed = 1;
  }
  labrys_output_at++;
}

/* Whether what a test wrote is what it should write. */
static int labrys_wrote(FILE *written, const struct labrys_test *test, int stream) {
  const char *bytes = test->streams[stream].bytes;
  size_t at = 0;
  int c;
  if (!bytes)
    return 1;
  rewind(written);
  while ((c = getc(written)) != EOF && at < test->streams[stream].size && (char)c == bytes[at])
    at++;
  if (c == EOF && at == test->streams[stream].size)
    return 1;
  fprintf(stderr, "%s: standard %s differs after %lu bytes\n", test->name,
          stream ? "error" : "output", (unsigned long)at);
  return 0;
}

extern char **environ;

/* What the child does before its test: its streams are files, messages go where errors went, and
 * the environment is that of the runs that were recorded. */
static int labrys_redirect(FILE *const *written) {
  static char *no_variables[] = {NULL};
  static char name[] = "program"; /* as in the runs that were recorded */
  int messages = dup(STDERR_FILENO);
  if (messages < 0 || !(labrys_messages = fdopen(messages, "w")))
    return 0;
  setvbuf(labrys_messages, NULL, _IONBF, 0);
  environ = no_variables;
  umask(022);
#ifdef __GLIBC__
  program_invocation_name = program_invocation_short_name = name;
#else
  (void)name;
#endif
  return dup2(fileno(written[0]), STDOUT_FILENO) >= 0 &&
         dup2(fileno(written[1]), STDERR_FILENO) >= 0;
}

/* Runs one test in a process of its own; result is 0 if it ended without a report. */
static int labrys_run(const struct labrys_test *test, char *result) {
  int ends[2], status = 0;
  FILE *written[2];
  pid_t child;
  *result = 0;
  fflush(stdout); /* or the child would write it, too */
  written[0] = tmpfile();
  written[1] = tmpfile();
  if (!written[0] || !written[1] || pipe(ends) != 0 || (child = fork()) < 0) {
    perror("cannot run a test");
    exit(2);
  }
  if (child == 0) {
    close(ends[0]);
    labrys_report = ends[1];
    labrys_test_name = test->name;
    /* After a fault anything may happen, so nothing is expected. */
    labrys_defined = !strcmp(test->outcome, "ok") || !strncmp(test->outcome, "exit ", 5);
    if (!labrys_redirect(written))
      labrys_test_ended('F');
    alarm(10);
    errno = 0;
    test->run();
    if (labrys_defined && labrys_output_at < labrys_output_count) {
      fprintf(LABRYS_LOG, "%s: output %s is missing\n", test->name,
              labrys_outputs[labrys_output_at].name);
      labrys_failed = 1;
    }
    labrys_test_ended(labrys_failed ? 'F' : 'P');
  }
  close(ends[1]);
  if (read(ends[0], result, 1) != 1)
    *result = 0;
  close(ends[0]);
  while (waitpid(child, &status, 0) != child)
    ;
  if (*result != 'F' && (!labrys_wrote(written[0], test, 0) || !labrys_wrote(written[1], test, 1)))
    *result = 'F';
  fclose(written[0]);
  fclose(written[1]);
  return status;
}

/* Whether the test ended as it did when it was recorded. Kinds of faults that only Labrys can
 * see (an overrun that hits nothing) are not asked for, nor how a run ends that took too long or
 * that may end in any way ("any"). */
static int labrys_passed(const char *outcome, char result, int status) {
  int by_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  int number;
  if (result == 'F')
    return 0;
  if (strcmp(outcome, "ok") == 0)
    return result == 'P' || (result == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  if (sscanf(outcome, "exit %d", &number) == 1)
    return result == 0 && WIFEXITED(status) && WEXITSTATUS(status) == number;
  if (sscanf(outcome, "signal %d", &number) == 1)
    return by_signal == number;
  if (strcmp(outcome, "abort") == 0 || strcmp(outcome, "assertion") == 0)
    return by_signal == SIGABRT || result == 'E';
  if (strcmp(outcome, "reach-error") == 0)
    return result == 'E';
  if (strcmp(outcome, "segmentation-fault") == 0)
    return by_signal == SIGSEGV;
  if (strcmp(outcome, "arithmetic-fault") == 0)
    return by_signal == SIGFPE;
  if (strcmp(outcome, "bus-error") == 0)
    return by_signal == SIGBUS;
  return 1;
}

static int labrys_run_all(const struct labrys_test *tests, size_t count) {
  size_t i, failed = 0;
  for (i = 0; i < count; i++) {
    char result;
    int status = labrys_run(&tests[i], &result);
    if (!labrys_passed(tests[i].outcome, result, status)) {
      failed++;
      if (result == 'F')
        printf("FAILED %s\n", tests[i].name);
      else
        printf("FAILED %s: did not end as expected (%s)\n", tests[i].name, tests[i].outcome);
    }
  }
  printf("%lu passed, %lu failed\n", (unsigned long)(count - failed), (unsigned long)failed);
  return failed != 0;
}
