/* number.c: text to numbers. */
#include "check.h"

MODEL(atoi); MODEL(atol); MODEL(atoll); MODEL(strtol); MODEL(strtoul); MODEL(strtoll);
MODEL(strtoull);

#define NUMBER(function, base)                                                                 \
  do {                                                                                         \
    char *end_a = NULL, *end_b = NULL;                                                         \
    int error_a, error_b;                                                                      \
    __typeof__(function(a, &end_a, base)) x, y;                                                \
    *model___errno_location() = 0;                                                             \
    x = model_##function(a, &end_a, base);                                                     \
    error_a = *model___errno_location();                                                       \
    errno = 0;                                                                                 \
    y = function(a, &end_b, base);                                                             \
    error_b = errno;                                                                           \
    CHECK(x == y && end_a == end_b && error_a == error_b,                                      \
          #function "(\"%s\", %d): %lld %lld, end %td %td, errno %d %d", a, base, (long long)x,\
          (long long)y, end_a ? end_a - a : -1, end_b ? end_b - a : -1, error_a, error_b);     \
  } while (0)

void check_numbers(void) {
  static const char *const alphabets[] = {"0123456789", "0x1aF", "-+ 19\t", "09", "zZ9f"};
  static const char *const edges[] = {
      "9223372036854775807",  "9223372036854775808",  "-9223372036854775808", "0x",
      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0xg",
      "-18446744073709551615", "0x7fffffffffffffff",  "0x8000000000000000",   "0",
      "-18446744073709551616", "0b11", "", "-", "08", "  +0X1f", "-0x", "2147483648"};
  static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37, -1, 7};
  int base = bases[below(10)];
  char *a = text(0, below(24), alphabets[below(5)]);
  if (below(3) == 0) {
    const char *edge = edges[below(20)];
    a = text(0, strlen(edge), "0");
    strcpy(a, edge);
  }
  NUMBER(strtol, base);
  NUMBER(strtoul, base);
  NUMBER(strtoll, base);
  NUMBER(strtoull, base);
  CHECK(model_atoi(a) == atoi(a), "atoi %s", a);
  CHECK(model_atol(a) == atol(a), "atol %s", a);
  CHECK(model_atoll(a) == atoll(a), "atoll %s", a);
}
