/* number.c: text to integers. The end of the number is a path; its value, an overflow and errno
 * are expressions. */
#include "engine.h"

/* The value of a digit, or 99. */
static unsigned digit_value(unsigned char c) {
  unsigned decimal = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
  unsigned value = (unsigned)labrys_select(letter < 26, letter + 10, 99);
  return (unsigned)labrys_select(decimal < 10, decimal, value);
}

/* How many digits of the base surely fit into 63 bits. */
static unsigned safe_digits(unsigned base) { return base <= 10 ? 18 : base <= 16 ? 15 : 12; }

static int is_space(unsigned char c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }

/* Reads sign, prefix and digits. The magnitude saturates: *overflow is set when it is above
 * limit, or above limit + 1 for a negative number of a signed type. */
static unsigned long long magnitude(const char *text, char **end, int base, int binary_prefix,
                                    unsigned long long limit, int is_signed, int *negative,
                                    int *overflow) {
  const unsigned char *at = (const unsigned char *)text;
  unsigned long long value = 0;
  unsigned count = 0, digit;
  *negative = 0;
  *overflow = 0;
  if ((base < 0) | (base == 1) | (base > 36)) {
    *__errno_location() = EINVAL;
    return 0;
  }
  while (is_space(*at))
    at++;
  if ((*at == '-') | (*at == '+')) {
    *negative = *at == '-';
    at++;
  }
  if ((base == 0) | (base == 16) | (binary_prefix & (base == 2))) {
    if (*at == '0') {
      if ((base != 2) && (at[1] | 32) == 'x' && digit_value(at[2]) < 16) {
        base = 16;
        at += 2;
      } else if (binary_prefix && (base != 16) && (at[1] | 32) == 'b' && digit_value(at[2]) < 2) {
        base = 2;
        at += 2;
      } else if (base == 0) {
        base = 8;
      }
    } else if (base == 0) {
      base = 10;
    }
  }
  if (is_signed && *negative)
    limit++;
  while ((digit = digit_value(*at)) < (unsigned)base) {
    if (count >= safe_digits((unsigned)base)) {
      unsigned long long most = limit / (unsigned)base, last = limit % (unsigned)base;
      *overflow |= (value > most) | ((value == most) & (digit > last));
    }
    value = value * (unsigned)base + digit;
    count++;
    at++;
  }
  if (end != NULL)
    *end = (char *)(count > 0 ? (const char *)at : text);
  return value;
}

static void note_overflow(int overflow) {
  int *error = __errno_location();
  *error = (int)labrys_select(overflow, ERANGE, (unsigned long long)*error);
}

static long long to_signed(const char *text, char **end, int base, int binary_prefix) {
  int negative, overflow;
  unsigned long long value =
      magnitude(text, end, base, binary_prefix, LLONG_MAX, 1, &negative, &overflow);
  value = labrys_select(negative, 0 - value, value);
  note_overflow(overflow);
  return (long long)labrys_select(
      overflow, (unsigned long long)LLONG_MAX + (unsigned long long)negative, value);
}

static unsigned long long to_unsigned(const char *text, char **end, int base, int binary_prefix) {
  int negative, overflow;
  unsigned long long value =
      magnitude(text, end, base, binary_prefix, ULLONG_MAX, 0, &negative, &overflow);
  value = labrys_select(negative, 0 - value, value);
  note_overflow(overflow);
  return labrys_select(overflow, ULLONG_MAX, value);
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
