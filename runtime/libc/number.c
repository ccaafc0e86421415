/* number.c: text to integers. The end of the number is a path; its value, an overflow and errno
 * are expressions. */
#include "number.h"

/* The value of a digit, or 99. */
unsigned labrys_digit_value(int c) {
  unsigned decimal = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
  unsigned value = (unsigned)labrys_select(letter < 26, letter + 10, 99);
  return (unsigned)labrys_select(decimal < 10, decimal, value);
}

/* How many digits of the base surely fit into 63 bits. */
static unsigned safe_digits(unsigned base) { return base <= 10 ? 18 : base <= 16 ? 15 : 12; }

int labrys_is_space(int c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }

/* The largest magnitude: one more for a negative number of a signed type. */
void labrys_add_digit(struct Digits *digits, unsigned base, unsigned digit) {
  unsigned long long limit = digits->is_signed ? LLONG_MAX : ULLONG_MAX;
  if (digits->count >= safe_digits(base)) {
    unsigned long long most = limit / base, last = limit % base;
    if (digits->is_signed) {
      most = labrys_select(digits->negative, (limit + 1) / base, most);
      last = labrys_select(digits->negative, (limit + 1) % base, last);
    }
    digits->overflow |= (digits->value > most) | ((digits->value == most) & (digit > last));
  }
  digits->value = digits->value * base + digit;
  digits->count++;
}

unsigned long long labrys_digits_value(const struct Digits *digits) {
  unsigned long long value = labrys_select(digits->negative, 0 - digits->value, digits->value);
  int *error = __errno_location();
  *error = (int)labrys_select(digits->overflow, ERANGE, (unsigned long long)*error);
  if (digits->is_signed)
    return labrys_select(digits->overflow,
                         (unsigned long long)LLONG_MAX + (unsigned long long)digits->negative,
                         value);
  return labrys_select(digits->overflow, ULLONG_MAX, value);
}

/* Reads sign, prefix and digits. */
static unsigned long long convert(const char *text, char **end, int base, int binary_prefix,
                                  int is_signed) {
  const unsigned char *at = (const unsigned char *)text;
  struct Digits digits = {0, 0, 0, 0, 0};
  unsigned digit;
  digits.is_signed = is_signed;
  if ((base < 0) | (base == 1) | (base > 36)) {
    *__errno_location() = EINVAL;
    return 0;
  }
  while (labrys_is_space(*at))
    at++;
  if ((*at == '-') | (*at == '+')) {
    digits.negative = *at == '-';
    at++;
  }
  if ((base == 0) | (base == 16) | (binary_prefix & (base == 2))) {
    if (*at == '0') {
      if ((base != 2) && (at[1] | 32) == 'x' && labrys_digit_value(at[2]) < 16) {
        base = 16;
        at += 2;
      } else if (binary_prefix && (base != 16) && (at[1] | 32) == 'b' &&
                 labrys_digit_value(at[2]) < 2) {
        base = 2;
        at += 2;
      } else if (base == 0) {
        base = 8;
      }
    } else if (base == 0) {
      base = 10;
    }
  }
  while ((digit = labrys_digit_value(*at)) < (unsigned)base) {
    labrys_add_digit(&digits, (unsigned)base, digit);
    at++;
  }
  if (end != NULL)
    *end = (char *)(digits.count > 0 ? (const char *)at : text);
  return labrys_digits_value(&digits);
}

static long long to_signed(const char *text, char **end, int base, int binary_prefix) {
  return (long long)convert(text, end, base, binary_prefix, 1);
}

static unsigned long long to_unsigned(const char *text, char **end, int base, int binary_prefix) {
  return convert(text, end, base, binary_prefix, 0);
}

/* long and long long have the same size wherever these models are used. */
_Static_assert(sizeof(long) == sizeof(long long), "an LP64 target");

#define FAMILY(prefix, binary_prefix)                                                          \
  WEAK long prefix##strtol(const char *restrict text, char **restrict end, int base) {         \
    return (long)to_signed(text, end, base, binary_prefix);                                    \
  }                                                                                            \
  WEAK long long prefix##strtoll(const char *restrict text, char **restrict end, int base) {   \
    return to_signed(text, end, base, binary_prefix);                                          \
  }                                                                                            \
  WEAK intmax_t prefix##strtoimax(const char *restrict text, char **restrict end, int base) {  \
    return (intmax_t)to_signed(text, end, base, binary_prefix);                                \
  }                                                                                            \
  WEAK unsigned long prefix##strtoul(const char *restrict text, char **restrict end,           \
                                     int base) {                                               \
    return (unsigned long)to_unsigned(text, end, base, binary_prefix);                         \
  }                                                                                            \
  WEAK unsigned long long prefix##strtoull(const char *restrict text, char **restrict end,     \
                                           int base) {                                         \
    return to_unsigned(text, end, base, binary_prefix);                                        \
  }                                                                                            \
  WEAK uintmax_t prefix##strtoumax(const char *restrict text, char **restrict end, int base) { \
    return (uintmax_t)to_unsigned(text, end, base, binary_prefix);                             \
  }
FAMILY(, 0)
FAMILY(__isoc23_, 1)

WEAK int atoi(const char *text) { return (int)to_signed(text, NULL, 10, 0); }
WEAK long atol(const char *text) { return (long)to_signed(text, NULL, 10, 0); }
WEAK long long atoll(const char *text) { return to_signed(text, NULL, 10, 0); }
WEAK long long atoq(const char *text) { return to_signed(text, NULL, 10, 0); }
WEAK long long strtoq(const char *restrict text, char **restrict end, int base) {
  return to_signed(text, end, base, 0);
}
WEAK unsigned long long strtouq(const char *restrict text, char **restrict end, int base) {
  return to_unsigned(text, end, base, 0);
}

#define LOCALE(type, name)                                                                     \
  WEAK type name##_l(const char *restrict text, char **restrict end, int base,                 \
                     void *locale) {                                                           \
    (void)locale;                                                                              \
    return name(text, end, base);                                                              \
  }
LOCALE(long, strtol)
LOCALE(unsigned long, strtoul)
LOCALE(long long, strtoll)
LOCALE(unsigned long long, strtoull)

/* With grouping, which the C locale does not have. */
#define INTERNAL(type, name)                                                                   \
  WEAK type __##name##_internal(const char *restrict text, char **restrict end, int base,      \
                                int group) {                                                   \
    (void)group;                                                                               \
    return name(text, end, base);                                                              \
  }
INTERNAL(long, strtol)
INTERNAL(unsigned long, strtoul)
INTERNAL(long long, strtoll)
INTERNAL(unsigned long long, strtoull)

/* ---- Wide text: its bytes as narrow text, since a number has no others ---- */

static char *narrow(const wchar_t *text) {
  size_t size = 0, i;
  char *copy;
  while (text[size] != 0)
    size++;
  copy = labrys_malloc(size + 1);
  for (i = 0; i < size; i++)
    copy[i] = (char)labrys_select((unsigned)text[i] < 128, (unsigned long long)text[i], 1);
  copy[size] = 0;
  return copy;
}

#define WIDE(type, name, narrow_name)                                                          \
  WEAK type name(const wchar_t *restrict text, wchar_t **restrict end, int base) {             \
    char *copy = narrow(text), *stop = NULL;                                                   \
    type value = narrow_name(copy, &stop, base);                                               \
    if (end != NULL && stop != NULL)                                                           \
      *end = (wchar_t *)text + (stop - copy);                                                  \
    labrys_free(copy);                                                                         \
    return value;                                                                              \
  }
WIDE(long, wcstol, strtol)
WIDE(unsigned long, wcstoul, strtoul)
WIDE(long long, wcstoll, strtoll)
WIDE(unsigned long long, wcstoull, strtoull)
WIDE(intmax_t, wcstoimax, strtoimax)
WIDE(uintmax_t, wcstoumax, strtoumax)
WIDE(long, __isoc23_wcstol, __isoc23_strtol)
WIDE(unsigned long, __isoc23_wcstoul, __isoc23_strtoul)
WIDE(long long, __isoc23_wcstoll, __isoc23_strtoll)
WIDE(unsigned long long, __isoc23_wcstoull, __isoc23_strtoull)

#define WIDE_FLOAT(type, name, narrow_name)                                                    \
  WEAK type name(const wchar_t *restrict text, wchar_t **restrict end) {                       \
    char *copy = narrow(text), *stop = copy;                                                   \
    type value = narrow_name(copy, &stop);                                                     \
    if (end != NULL)                                                                           \
      *end = (wchar_t *)text + (stop - copy);                                                  \
    labrys_free(copy);                                                                         \
    return value;                                                                              \
  }
WIDE_FLOAT(float, wcstof, strtof)
WIDE_FLOAT(double, wcstod, strtod)
WIDE_FLOAT(long double, wcstold, strtold)
