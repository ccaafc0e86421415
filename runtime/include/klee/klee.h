/* klee.h: the functions of KLEE that Labrys understands. */
#ifndef LABRYS_KLEE_H
#define LABRYS_KLEE_H

#include <stddef.h>
#include <stdint.h>

/* Inputs. */
void klee_make_symbolic(void *address, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);

/* Preconditions and endings. */
void klee_assume(uintptr_t condition);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
    __attribute__((noreturn));
#define klee_assert(condition) \
  ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, #condition, "assert"))

/* Hints, which change nothing. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_mark_global(void *object);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_check_memory_access(const void *address, size_t size);
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);

float klee_get_valuef(float expression);
double klee_get_valued(double expression);
long klee_get_valuel(long expression);
long long klee_get_valuell(long long expression);
int32_t klee_get_value_i32(int32_t expression);
int64_t klee_get_value_i64(int64_t expression);

#endif
