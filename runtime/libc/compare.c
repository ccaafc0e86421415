/* compare.c: the comparisons of strings. The result is computed without branches on the
 * contents, so that a comparison costs no path; each byte is read through the pointer, so that
 * a string without an end is an out-of-bounds read as it should be. */
#include "engine.h"

/* Beyond this many bytes with inputs in them, each further one is a branch: an expression that
 * grows with every byte of a big buffer is worse than a few paths. */
enum { BRANCH_FREE = 256 };

static int same(int c) { return c; }

static int fold(int c) { return c + (((unsigned)c - 'A' < 26) << 5); }

static int is_certain(int value) { return !labrys_is_symbolic((unsigned long long)value); }

/* Compares up to the first difference, the first end of a string or size bytes. */
static int compare(const char *left, const char *right, size_t size, int (*map)(int)) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  size_t bound_a = labrys_object_size(a), bound_b = labrys_object_size(b), i;
  size_t bound = bound_a < bound_b ? bound_a : bound_b;
  int result = 0, done = 0, symbolic = 0;
  for (i = 0; i < size; i++) {
    int x, y, difference;
    /* At the end of an object, or of what was written to it: only a run that is not done yet
     * reads on. */
    if ((i >= bound || symbolic > BRANCH_FREE || labrys_is_uninit(a[i]) ||
         labrys_is_uninit(b[i])) &&
        done)
      break;
    x = map(a[i]);
    y = map(b[i]);
    difference = x - y;
    /* The same for bytes that were never written: such a run must not depend on them. */
    if (!is_certain(difference) &&
        (labrys_is_uninit((unsigned long long)x) | labrys_is_uninit((unsigned long long)y)) && done)
      break;
    result = (int)labrys_select(done, (unsigned long long)result, (unsigned long long)difference);
    if ((is_certain(difference) && difference != 0) || (is_certain(x) && x == 0) ||
        (is_certain(y) && y == 0))
      break;
    done |= (difference != 0) | (x == 0);
    symbolic += !is_certain(done);
  }
  return result;
}

WEAK int strcmp(const char *left, const char *right) {
  return compare(left, right, SIZE_MAX, same);
}

WEAK int strncmp(const char *left, const char *right, size_t size) {
  return compare(left, right, size, same);
}

WEAK int strcasecmp(const char *left, const char *right) {
  return compare(left, right, SIZE_MAX, fold);
}

WEAK int strncasecmp(const char *left, const char *right, size_t size) {
  return compare(left, right, size, fold);
}

WEAK int strcoll(const char *left, const char *right) {
  return compare(left, right, SIZE_MAX, same);
}

#define LOCALE(name, parameters, arguments)                                                    \
  WEAK int name##_l parameters {                                                               \
    (void)locale;                                                                              \
    return name arguments;                                                                     \
  }
LOCALE(strcasecmp, (const char *left, const char *right, void *locale), (left, right))
LOCALE(strncasecmp, (const char *left, const char *right, size_t size, void *locale),
       (left, right, size))
LOCALE(strcoll, (const char *left, const char *right, void *locale), (left, right))

/* The answer of a question: yes 1, no 0, neither -1. */
WEAK int rpmatch(const char *answer) {
  if ((*answer == 'y') | (*answer == 'Y'))
    return 1;
  return ((*answer == 'n') | (*answer == 'N')) ? 0 : -1;
}
