/* stdlib.c: arithmetic. */
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
