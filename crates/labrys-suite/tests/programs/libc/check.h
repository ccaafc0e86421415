/* check.h: what the comparisons of the models with the host's C library share. The models are
 * linked under names with the prefix model_. Strings end right before a page that cannot be read,
 * so that reading one byte too many is a crash. With `pretend` every value counts as symbolic,
 * which takes the models through the ways that they go for inputs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

#define MODEL(name) extern __typeof__(name) model_##name

extern int *model___errno_location(void);
extern FILE *model_stdin, *model_stdout, *model_stderr;

extern int failures;
#define CHECK(condition, ...)                                                                  \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      printf("%s:%d: ", __FILE__, __LINE__);                                                   \
      printf(__VA_ARGS__);                                                                     \
      putchar('\n');                                                                           \
      if (++failures > 20)                                                                     \
        exit(1);                                                                               \
    }                                                                                          \
  } while (0)

/* ---- What the primitives of the engine did ---- */

extern int pretend;
extern char captured[3][1 << 16];
extern size_t captured_size[3];
extern jmp_buf ended; /* an end of the run jumps here: status + 1, or 1000 for a fault */
extern const char *error_kind;

/* ---- Random inputs ---- */

uint64_t any(void);
size_t below(size_t n);
/* A string of that alphabet which ends right before the page that cannot be read. */
char *text(int arena, size_t size, const char *alphabet);
/* A copy of a string at such a place. */
char *copy_of(int arena, const char *string);
extern const char *const few;
int sign(int value);

/* ---- The comparisons: once, and in every round ---- */

#define EACH_ONCE(f)                                                                           \
  f(check_characters) f(check_streams) f(check_files) f(check_ends) f(check_locale)            \
  f(check_getopt) f(check_signals) f(check_messages) f(check_obstacks)
#define EACH_ROUND(f)                                                                          \
  f(check_memory) f(check_compare) f(check_search) f(check_copy) f(check_split)                \
  f(check_numbers) f(check_floats) f(check_arithmetic) f(check_formats) f(check_scan)           \
  f(check_more_strings) f(check_multibyte) f(check_wide_strings) f(check_time)                   \
  f(check_patterns)
#define EACH_SELDOM(f)                                                                         \
  f(check_sorting) f(check_generators) f(check_heap)

#define DECLARE(name) void name(void);
EACH_ONCE(DECLARE)
EACH_ROUND(DECLARE)
EACH_SELDOM(DECLARE)
