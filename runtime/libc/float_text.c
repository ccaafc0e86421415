/* float_text.c: text to floating-point numbers. Where the number ends is a path for each
 * character; its characters are then pinned, and the engine converts, correctly rounded. */
#include "number.h"

int strncasecmp(const char *left, const char *right, size_t size);

static int is_digit(int c) { return (unsigned)c - '0' < 10; }

static int is_letter(int c, char letter) { return (c | 32) == letter; }

/* One branch, not one for each letter. */
static int is_word(const char *at, const char *word) {
  return strncasecmp(at, word, strlen(word)) == 0;
}

/* Behind "nan": letters, digits and _ in brackets, or nothing. */
static const char *skip_payload(const char *at) {
  const char *start = at;
  if (*at != '(')
    return start;
  at++;
  for (;;) {
    int c = (unsigned char)*at;
    if (c == ')')
      return at + 1;
    if (!(is_digit(c) | ((unsigned)(c | 32) - 'a' < 26) | (c == '_')))
      return start;
    at++;
  }
}

static const char *skip_exponent(const char *at, char letter) {
  const char *digits = at + 1;
  if (!is_letter((unsigned char)*at, letter))
    return at;
  if ((*digits == '+') | (*digits == '-'))
    digits++;
  if (!is_digit((unsigned char)*digits))
    return at;
  while (is_digit((unsigned char)*digits))
    digits++;
  return digits;
}

/* Digits with a point somewhere; null if there is no digit. */
static const char *skip_mantissa(const char *at, unsigned base) {
  int count = 0, points = 0;
  for (;; at++) {
    if (labrys_digit_value((unsigned char)*at) < base)
      count++;
    else if (*at == '.' && points == 0)
      points++;
    else
      break;
  }
  /* A point alone is no number. */
  return count > 0 ? at : NULL;
}

/* The end of the number behind its sign; null if there is none. */
static const char *skip_number(const char *at) {
  const char *end;
  if (is_word(at, "inf"))
    return is_word(at + 3, "inity") ? at + 8 : at + 3;
  if (is_word(at, "nan"))
    return skip_payload(at + 3);
  if (*at == '0' && is_letter((unsigned char)at[1], 'x')) {
    end = skip_mantissa(at + 2, 16);
    if (end != NULL)
      return skip_exponent(end, 'p');
  }
  end = skip_mantissa(at, 10);
  return end != NULL ? skip_exponent(end, 'e') : NULL;
}

static void convert(const char *text, char **end, int format, void *to) {
  const char *start = text, *digits, *stop;
  int error;
  while (labrys_is_space((unsigned char)*start))
    start++;
  digits = start;
  if ((*digits == '+') | (*digits == '-'))
    digits++;
  stop = skip_number(digits);
  if (end != NULL)
    *end = (char *)(stop != NULL ? stop : text);
  if (stop == NULL)
    return;
  error = labrys_parse_float(start, (size_t)(stop - start), format, to);
  if (error != 0)
    *__errno_location() = error;
}

#define FAMILY(type, name, format)                                                             \
  WEAK type name(const char *restrict text, char **restrict end) {                             \
    type value = 0;                                                                            \
    convert(text, end, format, &value);                                                        \
    return value;                                                                              \
  }                                                                                            \
  WEAK type name##_l(const char *restrict text, char **restrict end, void *locale) {           \
    (void)locale;                                                                              \
    return name(text, end);                                                                    \
  }                                                                                            \
  WEAK type __##name##_internal(const char *restrict text, char **restrict end, int group) {   \
    (void)group;                                                                               \
    return name(text, end);                                                                    \
  }
FAMILY(float, strtof, 32)
FAMILY(double, strtod, 64)
FAMILY(long double, strtold, 80)
FAMILY(float, strtof32, 32)
FAMILY(double, strtof64, 64)
FAMILY(double, strtof32x, 64)
FAMILY(long double, strtof64x, 80)

WEAK double atof(const char *text) { return strtod(text, NULL); }
