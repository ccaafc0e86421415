/* ctype.c: character classes of the C locale, without branches: as functions that return the
 * very bits that glibc does, and as the tables behind glibc's macros. */
#include "engine.h"

/* glibc's bits on a little-endian machine. */
enum {
  BLANK = 1, CNTRL = 2, PUNCT = 4, ALNUM = 8, UPPER = 256, LOWER = 512, ALPHA = 1024,
  DIGIT = 2048, XDIGIT = 4096, SPACE = 8192, PRINT = 16384, GRAPH = 32768
};

#define IN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))
#define IS_BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define IS_CNTRL(c) (IN(c, 0, 31) | ((c) == 127))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_ALPHA(c) (IS_UPPER(c) | IS_LOWER(c))
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_XDIGIT(c) (IS_DIGIT(c) | IN(c, 'a', 'f') | IN(c, 'A', 'F'))
#define IS_SPACE(c) (((c) == ' ') | IN(c, '\t', '\r'))
#define IS_PRINT(c) IN(c, ' ', '~')
#define IS_GRAPH(c) IN(c, '!', '~')
#define IS_PUNCT(c) (IS_GRAPH(c) & !IS_ALNUM(c))
#define TO_LOWER(c) ((c) + (int)(IS_UPPER(c) * 32u))
#define TO_UPPER(c) ((c) - (int)(IS_LOWER(c) * 32u))

#define CLASS(name, class)                                                                     \
  WEAK int name(int c) { return (int)(IS_##class(c)) * class; }                                \
  WEAK int name##_l(int c, void *locale) {                                                     \
    (void)locale;                                                                              \
    return name(c);                                                                            \
  }                                                                                            \
  WEAK int __##name##_l(int c, void *locale) { return name##_l(c, locale); }
CLASS(isblank, BLANK)
CLASS(iscntrl, CNTRL)
CLASS(isupper, UPPER)
CLASS(islower, LOWER)
CLASS(isalpha, ALPHA)
CLASS(isdigit, DIGIT)
CLASS(isalnum, ALNUM)
CLASS(isxdigit, XDIGIT)
CLASS(isspace, SPACE)
CLASS(isprint, PRINT)
CLASS(isgraph, GRAPH)
CLASS(ispunct, PUNCT)

WEAK int isascii(int c) { return IN(c, 0, 127); }
WEAK int toascii(int c) { return c & 127; }
WEAK int tolower(int c) { return TO_LOWER(c); }
WEAK int toupper(int c) { return TO_UPPER(c); }
WEAK int _tolower(int c) { return c + 32; }
WEAK int _toupper(int c) { return c - 32; }

WEAK int tolower_l(int c, void *locale) {
  (void)locale;
  return TO_LOWER(c);
}

WEAK int toupper_l(int c, void *locale) {
  (void)locale;
  return TO_UPPER(c);
}

#define BITS(c)                                                                                \
  (unsigned short)(IS_BLANK(c) * BLANK | IS_CNTRL(c) * CNTRL | IS_PUNCT(c) * PUNCT |           \
                   IS_ALNUM(c) * ALNUM | IS_UPPER(c) * UPPER | IS_LOWER(c) * LOWER |           \
                   IS_ALPHA(c) * ALPHA | IS_DIGIT(c) * DIGIT | IS_XDIGIT(c) * XDIGIT |         \
                   IS_SPACE(c) * SPACE | IS_PRINT(c) * PRINT | IS_GRAPH(c) * GRAPH)

#define FOUR(f, c) f((c)), f((c) + 1), f((c) + 2), f((c) + 3)
#define SIXTEEN(f, c) FOUR(f, c), FOUR(f, (c) + 4), FOUR(f, (c) + 8), FOUR(f, (c) + 12)
#define HALF(f, c)                                                                             \
  SIXTEEN(f, c), SIXTEEN(f, (c) + 16), SIXTEEN(f, (c) + 32), SIXTEEN(f, (c) + 48),             \
      SIXTEEN(f, (c) + 64), SIXTEEN(f, (c) + 80), SIXTEEN(f, (c) + 96), SIXTEEN(f, (c) + 112)

/* The conversion tables give a plain char its unsigned value, and EOF itself. */
#define BELOW_ZERO(c) ((c) == -1 ? -1 : (c) + 256)

static const unsigned short labrys_character_classes[384] = {
    HALF(BITS, -128), HALF(BITS, 0), HALF(BITS, 128)};
static const int labrys_lower_characters[384] = {
    HALF(BELOW_ZERO, -128), HALF(TO_LOWER, 0), HALF(TO_LOWER, 128)};
static const int labrys_upper_characters[384] = {
    HALF(BELOW_ZERO, -128), HALF(TO_UPPER, 0), HALF(TO_UPPER, 128)};

WEAK const unsigned short **__ctype_b_loc(void) {
  static const unsigned short *table = labrys_character_classes + 128;
  return &table;
}

WEAK const int **__ctype_tolower_loc(void) {
  static const int *table = labrys_lower_characters + 128;
  return &table;
}

WEAK const int **__ctype_toupper_loc(void) {
  static const int *table = labrys_upper_characters + 128;
  return &table;
}

