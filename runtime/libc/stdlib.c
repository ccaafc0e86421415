/* stdlib.c: arithmetic, ends of the program and the environment. */
#include "engine.h"

/* ---- Arithmetic ---- */

WEAK int abs(int value) {
  return (int)labrys_select(value < 0, 0 - (unsigned long long)value, (unsigned long long)value);
}

WEAK long labs(long value) {
  return (long)labrys_select(value < 0, 0 - (unsigned long long)value, (unsigned long long)value);
}

WEAK long long llabs(long long value) {
  return (long long)labrys_select(value < 0, 0 - (unsigned long long)value,
                                  (unsigned long long)value);
}

WEAK intmax_t imaxabs(intmax_t value) { return labs(value); }

#define DIVISION(name, integer)                                                                \
  struct name##_result {                                                                       \
    integer quot, rem;                                                                         \
  };                                                                                           \
  WEAK struct name##_result name(integer left, integer right) {                                \
    struct name##_result result;                                                               \
    result.quot = left / right;                                                                \
    result.rem = left % right;                                                                 \
    return result;                                                                             \
  }
DIVISION(div, int)
DIVISION(ldiv, long)
DIVISION(lldiv, long long)

/* ---- Ends ---- */

enum { MOST_HANDLERS = 128 };
static void (*handlers[MOST_HANDLERS])(void);
static unsigned handler_count;

WEAK int atexit(void (*handler)(void)) {
  if (handler_count == MOST_HANDLERS)
    return -1;
  handlers[handler_count++] = handler;
  return 0;
}

WEAK void exit(int status) {
  while (handler_count > 0)
    handlers[--handler_count]();
  labrys_exit(status);
}

WEAK void _exit(int status) { labrys_exit(status); }

WEAK void _Exit(int status) { labrys_exit(status); }

WEAK void quick_exit(int status) { labrys_exit(status); }

WEAK void abort(void) { labrys_error("abort"); }

WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text, (void)file, (void)line, (void)function;
  labrys_error("assertion");
}

WEAK void __assert(const char *text, const char *file, int line) {
  (void)text, (void)file, (void)line;
  labrys_error("assertion");
}

WEAK void __stack_chk_fail(void) { labrys_error("abort"); }

WEAK void __chk_fail(void) { labrys_error("abort"); }

/* ---- The environment is empty ---- */

WEAK char *getenv(const char *name) {
  (void)name;
  return NULL;
}

WEAK char *secure_getenv(const char *name) {
  (void)name;
  return NULL;
}
