/* stdlib.c: arithmetic, sorting and random numbers. Where
 * the order of events shows (comparisons of qsort, numbers of rand), it is glibc's, so that the
 * native replay sees the same run. */
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

/* ---- Sorting and searching ---- */

typedef int Compare(const void *, const void *, void *);

static void merge_sort(char *base, size_t count, size_t size, Compare *compare, void *context,
                       char *scratch) {
  size_t left_count = count / 2, right_count = count - count / 2;
  char *left = base, *right = base + left_count * size, *to = scratch;
  if (count <= 1)
    return;
  merge_sort(left, left_count, size, compare, context, scratch);
  merge_sort(right, right_count, size, compare, context, scratch);
  while (left_count > 0 && right_count > 0) {
    if (compare(left, right, context) <= 0) {
      __builtin_memcpy(to, left, size);
      left += size;
      left_count--;
    } else {
      __builtin_memcpy(to, right, size);
      right += size;
      right_count--;
    }
    to += size;
  }
  /* What is left of the right half is in its place already. */
  __builtin_memcpy(to, left, left_count * size);
  __builtin_memcpy(base, scratch, (count - right_count) * size);
}

WEAK void qsort_r(void *base, size_t count, size_t size, Compare *compare, void *context) {
  char *scratch;
  if (count <= 1)
    return;
  scratch = labrys_malloc(count * size);
  merge_sort(base, count, size, compare, context, scratch);
  labrys_free(scratch);
}

struct PlainCompare {
  int (*function)(const void *, const void *);
};

static int call_plain(const void *left, const void *right, void *context) {
  return ((struct PlainCompare *)context)->function(left, right);
}

WEAK void qsort(void *base, size_t count, size_t size,
                int (*compare)(const void *, const void *)) {
  struct PlainCompare plain;
  plain.function = compare;
  qsort_r(base, count, size, call_plain, &plain);
}

WEAK void *bsearch(const void *key, const void *base, size_t count, size_t size,
                   int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order < 0)
      high = middle;
    else if (order > 0)
      low = middle + 1;
    else
      return (void *)element;
  }
  return NULL;
}

/* ---- Random numbers: glibc's additive feedback generator ---- */

enum { DEGREE = 31, SEPARATION = 3 };
static int32_t random_state[DEGREE];
static unsigned random_at;
static int random_ready;

WEAK long random(void);

WEAK void srandom(unsigned seed) {
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  unsigned i;
  random_state[0] = word;
  for (i = 1; i < DEGREE; i++) {
    long next = 16807 * (long)(word % 127773) - 2836 * (long)(word / 127773);
    long long is_negative = next < 0;
    word = (int32_t)(next + 2147483647 * is_negative);
    random_state[i] = word;
  }
  random_at = 0;
  random_ready = 1;
  /* Each number costs a turn; ten turns of the wheel are thrown away. */
  for (i = 0; i < DEGREE * 10; i++)
    random();
}

WEAK long random(void) {
  uint32_t sum;
  if (!random_ready)
    srandom(1);
  sum = (uint32_t)random_state[(random_at + SEPARATION) % DEGREE] +
        (uint32_t)random_state[random_at];
  random_state[(random_at + SEPARATION) % DEGREE] = (int32_t)sum;
  random_at = (random_at + 1) % DEGREE;
  return (long)(sum >> 1);
}

WEAK int rand(void) { return (int)random(); }

WEAK void srand(unsigned seed) { srandom(seed); }

WEAK int rand_r(unsigned *seed) {
  unsigned next = *seed, result;
  next = next * 1103515245 + 12345;
  result = next / 65536 % 2048;
  next = next * 1103515245 + 12345;
  result = (result << 10) ^ (next / 65536 % 1024);
  next = next * 1103515245 + 12345;
  result = (result << 10) ^ (next / 65536 % 1024);
  *seed = next;
  return (int)result;
}
