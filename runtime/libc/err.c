/* err.c: messages of <err.h>, <error.h> and <assert.h>, and the ends that come with them. */
#include "engine.h"

extern char *program_invocation_name, *program_invocation_short_name;
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
int fflush(FILE *stream);
int strcmp(const char *left, const char *right);
void exit(int status) __attribute__((noreturn));

/* ---- <err.h> ---- */

static void warn_of(int error, const char *format, va_list arguments) {
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (format != NULL)
    vfprintf(stderr, format, arguments);
  if (error >= 0)
    fprintf(stderr, "%s%s", format != NULL ? ": " : "", strerror(error));
  fprintf(stderr, "\n");
}

WEAK void vwarn(const char *format, va_list arguments) {
  warn_of(*__errno_location(), format, arguments);
}

WEAK void vwarnx(const char *format, va_list arguments) { warn_of(-1, format, arguments); }

WEAK __attribute__((noreturn)) void verr(int status, const char *format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}

WEAK __attribute__((noreturn)) void verrx(int status, const char *format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}

WEAK void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarn(format, arguments);
  va_end(arguments);
}

WEAK void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarnx(format, arguments);
  va_end(arguments);
}

WEAK __attribute__((noreturn)) void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

WEAK __attribute__((noreturn)) void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

/* ---- <error.h> ---- */

WEAK unsigned error_message_count;
WEAK int error_one_per_line;
WEAK void (*error_print_progname)(void);

static void begin(void) {
  fflush(stdout);
  if (error_print_progname != NULL)
    error_print_progname();
  else
    fprintf(stderr, "%s:", program_invocation_name);
}

static void finish(int status, int error, const char *format, va_list arguments) {
  vfprintf(stderr, format, arguments);
  error_message_count++;
  if (error != 0)
    fprintf(stderr, ": %s", strerror(error));
  fprintf(stderr, "\n");
  fflush(stderr);
  if (status != 0)
    exit(status);
}

WEAK void error(int status, int error, const char *format, ...) {
  va_list arguments;
  begin();
  if (error_print_progname == NULL)
    fprintf(stderr, " ");
  va_start(arguments, format);
  finish(status, error, format, arguments);
  va_end(arguments);
}

WEAK void error_at_line(int status, int error, const char *file, unsigned line,
                        const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  va_list arguments;
  if (error_one_per_line) {
    if (last_line == line && (file == last_file || (file != NULL && last_file != NULL &&
                                                    strcmp(file, last_file) == 0)))
      return;
    last_file = file;
    last_line = line;
  }
  begin();
  if (file != NULL)
    fprintf(stderr, "%s:%u: ", file, line);
  else
    fprintf(stderr, " ");
  va_start(arguments, format);
  finish(status, error, format, arguments);
  va_end(arguments);
}

/* ---- <assert.h> ---- */

WEAK void __assert_perror_fail(int error, const char *file, unsigned line,
                               const char *function) {
  (void)error, (void)file, (void)line, (void)function;
  labrys_error("assertion");
}

/* What _FORTIFY_SOURCE and the stack protector call. */
WEAK void __fortify_fail(const char *text) {
  (void)text;
  labrys_error("abort");
}

WEAK long __fdelt_chk(long descriptor) {
  if ((unsigned long)descriptor >= 1024)
    labrys_error("abort");
  return descriptor / 64;
}

WEAK long __fdelt_warn(long descriptor) { return __fdelt_chk(descriptor); }
