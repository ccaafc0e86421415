/* process.c: the ends of a program, its environment and its name, and the processes that it
 * cannot start: there is nothing to execute in its world. */
#include "files.h"
#include "../labrys.h"

int fflush(FILE *stream);
int fprintf(FILE *stream, const char *format, ...);
int strncmp(const char *left, const char *right, size_t size);

/* ---- Ends ---- */

static int is_whole; /* a program is run, not a function of it */

struct Handler {
  void (*plain)(void);
  void (*with_status)(int, void *);
  void (*with_context)(void *);
  void *context;
};

enum { HANDLERS = 256 };

static struct Handler handlers[HANDLERS];
static int handler_count;
static struct Handler quick_handlers[32];
static int quick_count;

static int add(struct Handler handler) {
  if (handler_count == HANDLERS)
    labrys_unsupported("more than 256 handlers of exit");
  handlers[handler_count++] = handler;
  return 0;
}

WEAK int atexit(void (*plain)(void)) {
  struct Handler handler = {.plain = plain};
  return add(handler);
}

WEAK int on_exit(void (*function)(int, void *), void *context) {
  struct Handler handler = {.with_status = function, .context = context};
  return add(handler);
}

WEAK int __cxa_atexit(void (*function)(void *), void *context, void *object) {
  struct Handler handler = {.with_context = function, .context = context};
  (void)object;
  return add(handler);
}

WEAK int at_quick_exit(void (*plain)(void)) {
  if (quick_count == 32)
    labrys_unsupported("more than 32 handlers of quick_exit");
  quick_handlers[quick_count++].plain = plain;
  return 0;
}

static void end(int status) __attribute__((noreturn));
static void end(int status) {
  if (is_whole)
    labrys_output_files();
  labrys_exit(status);
}

WEAK __attribute__((noreturn)) void exit(int status) {
  while (handler_count > 0) {
    struct Handler handler = handlers[--handler_count];
    if (handler.plain != NULL)
      handler.plain();
    else if (handler.with_status != NULL)
      handler.with_status(status, handler.context);
    else
      handler.with_context(handler.context);
  }
  fflush(NULL);
  end(status);
}

WEAK __attribute__((noreturn)) void _exit(int status) { end(status); }

WEAK __attribute__((noreturn)) void _Exit(int status) { end(status); }

WEAK __attribute__((noreturn)) void quick_exit(int status) {
  while (quick_count > 0)
    quick_handlers[--quick_count].plain();
  end(status);
}

WEAK __attribute__((noreturn)) void abort(void) {
  labrys_abort_signal();
  labrys_error("abort");
}

WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line,
          function == NULL ? "?" : function, text);
  labrys_abort_signal();
  labrys_error("assertion");
}

WEAK void __assert(const char *text, const char *file, int line) {
  __assert_fail(text, file, (unsigned)line, NULL);
}

WEAK void __stack_chk_fail(void) { labrys_error("abort"); }

WEAK void __chk_fail(void) { labrys_error("abort"); }

/* ---- The name of the program ---- */

WEAK char *program_invocation_name = (char *)"program";
WEAK char *program_invocation_short_name = (char *)"program";
WEAK const char *__progname = "program";
WEAK const char *__progname_full = "program";

void labrys_program(const char *name) {
  const char *at;
  is_whole = 1;
  program_invocation_name = program_invocation_short_name = (char *)name;
  for (at = name; *at != 0; at++)
    if (*at == '/')
      program_invocation_short_name = (char *)at + 1;
  __progname_full = program_invocation_name;
  __progname = program_invocation_short_name;
}

void labrys_end(int status) { exit(status); }

#define LOCALE "environment: locale"

long labrys_local(long value) { return is_whole ? value : labrys_assumed(value, LOCALE); }

void labrys_rest_on_locale(void) {
  if (!is_whole)
    labrys_touch(LOCALE);
}

/* ---- The environment ---- */

/* Whoever reads it relies on there being no variables: the engine knows it by its name. */
char *labrys_no_variables[] = {NULL};

WEAK char **environ = labrys_no_variables;
WEAK char **__environ = labrys_no_variables;
static int is_ours; /* the array was made here */

void labrys_environment(char **variables) { environ = __environ = variables; }

/* Programs assign to environ, which is __environ. A caller may have done so before, but whoever does
 * not find a variable relies on what the harness has chosen anyway. */
static char **variables(void) {
  char **now = labrys_plain_pointer(environ);
  if (now != labrys_plain_pointer(__environ))
    __environ = now;
  return now;
}

static char **find_variable(const char *name, size_t size) {
  char **place = variables();
  if (place == NULL || place == labrys_no_variables)
    return NULL;
  for (; *place != NULL; place++)
    if (strncmp(*place, name, size) == 0 && (*place)[size] == '=')
      return place;
  return NULL;
}

WEAK char *getenv(const char *name) {
  size_t size = strlen(name);
  char **place = find_variable(name, size);
  if (place != NULL)
    return *place + size + 1;
  /* Which variables there are is a choice of the harness. */
  labrys_touch(LIMIT_SYM_ENV);
  return NULL;
}

WEAK char *secure_getenv(const char *name) { return getenv(name); }

WEAK char *__secure_getenv(const char *name) { return getenv(name); }

static int is_name(const char *name) {
  if (name == NULL || *name == 0)
    return 0;
  for (; *name != 0; name++)
    if (*name == '=')
      return 0;
  return 1;
}

/* The variables with room for one more. */
static char **with_room(void) {
  char **from = variables(), **to;
  size_t count = 0, i;
  while (from != NULL && from != labrys_no_variables && from[count] != NULL)
    count++;
  to = labrys_malloc((count + 2) * sizeof *to);
  for (i = 0; i < count; i++)
    to[i] = from[i];
  to[count] = to[count + 1] = NULL;
  if (is_ours)
    labrys_free(from);
  is_ours = 1;
  environ = __environ = to;
  return to + count;
}

static size_t name_size(const char *text) {
  size_t size = 0;
  while (text[size] != 0 && text[size] != '=')
    size++;
  return size;
}

static int put_variable(char *text, int overwrites) {
  char **place = find_variable(text, name_size(text));
  if (place != NULL && !overwrites)
    return 0;
  if (place == NULL)
    place = with_room();
  *place = text;
  return 0;
}

WEAK int setenv(const char *name, const char *value, int overwrites) {
  size_t name_bytes, value_bytes;
  char *text;
  if (!is_name(name))
    return labrys_fail(EINVAL);
  name_bytes = strlen(name);
  value_bytes = strlen(value);
  text = labrys_malloc(name_bytes + value_bytes + 2);
  memcpy(text, name, name_bytes);
  text[name_bytes] = '=';
  memcpy(text + name_bytes + 1, value, value_bytes + 1);
  return put_variable(text, overwrites);
}

WEAK int unsetenv(const char *name) {
  char **place;
  if (!is_name(name))
    return labrys_fail(EINVAL);
  while ((place = find_variable(name, strlen(name))) != NULL)
    for (; *place != NULL; place++)
      place[0] = place[1];
  return 0;
}

WEAK int putenv(char *text) {
  if (text[name_size(text)] != '=')
    return unsetenv(text);
  return put_variable(text, 1);
}

WEAK int clearenv(void) {
  environ = __environ = NULL;
  is_ours = 0;
  return 0;
}

/* ---- Other processes ---- */

/* No shell. */
WEAK int system(const char *command) { return command == NULL ? 0 : 127 << 8; }

WEAK int execve(const char *path, char *const *arguments, char *const *variables) {
  (void)path, (void)arguments, (void)variables;
  return labrys_fail(ENOENT);
}

WEAK int execv(const char *path, char *const *arguments) { return execve(path, arguments, NULL); }

WEAK int execvp(const char *path, char *const *arguments) {
  return execve(path, arguments, NULL);
}

WEAK int execvpe(const char *path, char *const *arguments, char *const *variables) {
  return execve(path, arguments, variables);
}

WEAK int execl(const char *path, const char *argument, ...) {
  (void)argument;
  return execve(path, NULL, NULL);
}

WEAK int execlp(const char *path, const char *argument, ...) {
  (void)argument;
  return execve(path, NULL, NULL);
}

WEAK int execle(const char *path, const char *argument, ...) {
  (void)argument;
  return execve(path, NULL, NULL);
}

WEAK int fork(void) { labrys_unsupported("fork"); }

WEAK int vfork(void) { labrys_unsupported("fork"); }

WEAK int posix_spawn(void) { return ENOENT; }

WEAK int posix_spawnp(void) { return ENOENT; }

enum { ECHILD = 10 };

WEAK int wait(int *status) {
  (void)status;
  return labrys_fail(ECHILD);
}

WEAK int waitpid(int process, int *status, int options) {
  (void)process, (void)status, (void)options;
  return labrys_fail(ECHILD);
}
