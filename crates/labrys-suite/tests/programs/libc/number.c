/* number.c: text to numbers. */
#include "check.h"

MODEL(atoi); MODEL(atol); MODEL(atoll); MODEL(strtol); MODEL(strtoul); MODEL(strtoll);
MODEL(strtoull); MODEL(strtoimax); MODEL(strtoumax); MODEL(strtoq); MODEL(strtouq); MODEL(strtod);
MODEL(strtof); MODEL(strtold); MODEL(atof); MODEL(wcstol); MODEL(wcstoul); MODEL(wcstod);

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
  NUMBER(strtoimax, base);
  NUMBER(strtoumax, base);
  NUMBER(strtoq, base);
  NUMBER(strtouq, base);
  {
    wchar_t wide[40], *end_a = NULL, *end_b = NULL;
    size_t i;
    long x, y;
    for (i = 0; i <= strlen(a); i++)
      wide[i] = a[i];
    if (below(4) == 0)
      wide[below(i)] = 0x2003;
    wide[i - 1] = 0;
    x = model_wcstol(wide, &end_a, base);
    y = wcstol(wide, &end_b, base);
    CHECK(x == y && end_a == end_b, "wcstol %ls", wide);
    CHECK(model_wcstoul(wide, &end_a, base) == wcstoul(wide, &end_b, base), "wcstoul");
  }
  CHECK(model_atoi(a) == atoi(a), "atoi %s", a);
  CHECK(model_atol(a) == atol(a), "atol %s", a);
  CHECK(model_atoll(a) == atoll(a), "atoll %s", a);
}

/* The same bits, the same end, the same error number. */
#define FLOAT(function, size)                                                                  \
  do {                                                                                         \
    char *end_a = NULL, *end_b = NULL;                                                         \
    int error_a, error_b;                                                                      \
    __typeof__(function(a, &end_a)) x, y;                                                      \
    *model___errno_location() = 0;                                                             \
    x = model_##function(a, &end_a);                                                           \
    error_a = *model___errno_location();                                                       \
    errno = 0;                                                                                 \
    y = function(a, &end_b);                                                                   \
    error_b = errno;                                                                           \
    CHECK(memcmp(&x, &y, size) == 0 && end_a == end_b && error_a == error_b,                   \
          #function "(\"%s\"): %Lg %Lg, end %td %td, errno %d %d", a, (long double)x,          \
          (long double)y, end_a ? end_a - a : -1, end_b ? end_b - a : -1, error_a, error_b);   \
  } while (0)

void check_floats(void) {
  static const char *const alphabets[] = {"0123456789.", "0x1.8pP-", "-+ 19e.", "infatyINF",
                                          "nan()1_", "12.eE+-"};
  static const char *const edges[] = {
      "1e400",  "-1e-400", "inf",  "-INFINITY", "infinit", "nan", "NaN(abc_1)", "nan(a-b)", "nan(",
      "0x",     "0x.",     "0x.8", "0x1p",      "0x1p-",   "1e",  "1e+",        ".",        "-.5e1",
      "4.9e-324", "2.2250738585072011e-308", "0x1.fffffffffffff8p0", "0.1", "+.e1", "1.7976931348623159e308"};
  char *a = text(0, below(14), alphabets[below(6)]);
  if (below(3) == 0)
    a = copy_of(0, edges[below(24)]);
  FLOAT(strtod, 8);
  FLOAT(strtof, 4);
  FLOAT(strtold, 10);
  CHECK(model_atof(a) == atof(a) || atof(a) != atof(a), "atof %s", a);
}
