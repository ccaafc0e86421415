/* wide_class.c: <wctype.h> and the width of characters. ASCII is done without branches; other
 * characters are of no class in the C locale, and in UTF-8 the host says what they are. */
#include "wide.h"

#define IN(c, low, high) ((c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_ALPHA(c) (IS_UPPER(c) | IS_LOWER(c))
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_GRAPH(c) IN(c, '!', '~')

/* In the order of the names below, which is the engine's. */
enum { ALNUM, ALPHA, BLANK, CNTRL, DIGIT, GRAPH, LOWER, PRINT, PUNCT, SPACE, UPPER, XDIGIT };
static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                    "lower", "print", "punct", "space", "upper", "xdigit"};
enum { CLASSES = sizeof names / sizeof *names };

static int is_ascii_of(wint_t c, int class) {
  switch (class) {
  case ALNUM:
    return IS_ALNUM(c);
  case ALPHA:
    return IS_ALPHA(c);
  case BLANK:
    return (c == ' ') | (c == '\t');
  case CNTRL:
    return IN(c, 0, 31) | (c == 127);
  case DIGIT:
    return IS_DIGIT(c);
  case GRAPH:
    return IS_GRAPH(c);
  case LOWER:
    return IS_LOWER(c);
  case PRINT:
    return IN(c, ' ', '~');
  case PUNCT:
    return IS_GRAPH(c) & !IS_ALNUM(c);
  case SPACE:
    return (c == ' ') | IN(c, '\t', '\r');
  case UPPER:
    return IS_UPPER(c);
  default:
    return IS_DIGIT(c) | IN(c, 'a', 'f') | IN(c, 'A', 'F');
  }
}

/* The C locale needs no branch. */
static int is_of(wint_t c, int class) {
  if (labrys_is_utf8() && c > 127)
    return labrys_wide_property(c, class);
  return is_ascii_of(c, class);
}

#define CLASS(name, class)                                                                     \
  WEAK int name(wint_t c) { return is_of(c, class); }                                          \
  WEAK int name##_l(wint_t c, void *locale) {                                                  \
    (void)locale;                                                                              \
    return is_of(c, class);                                                                    \
  }
CLASS(iswalnum, ALNUM)
CLASS(iswalpha, ALPHA)
CLASS(iswblank, BLANK)
CLASS(iswcntrl, CNTRL)
CLASS(iswdigit, DIGIT)
CLASS(iswgraph, GRAPH)
CLASS(iswlower, LOWER)
CLASS(iswprint, PRINT)
CLASS(iswpunct, PUNCT)
CLASS(iswspace, SPACE)
CLASS(iswupper, UPPER)
CLASS(iswxdigit, XDIGIT)

WEAK wint_t towlower(wint_t c) {
  if (labrys_is_utf8() && c > 127)
    return (wint_t)labrys_wide_property(c, WIDE_LOWER_CASE);
  return c + ((unsigned)IS_UPPER(c) << 5);
}

WEAK wint_t towupper(wint_t c) {
  if (labrys_is_utf8() && c > 127)
    return (wint_t)labrys_wide_property(c, WIDE_UPPER_CASE);
  return c - ((unsigned)IS_LOWER(c) << 5);
}

int strcmp(const char *left, const char *right);

/* A class is its number, one more so that 0 is none. */
WEAK unsigned long wctype(const char *name) {
  unsigned i;
  for (i = 0; i < CLASSES; i++)
    if (strcmp(name, names[i]) == 0)
      return i + 1;
  return 0;
}

WEAK int iswctype(wint_t c, unsigned long class) {
  return class >= 1 && class <= CLASSES ? is_of(c, (int)class - 1) : 0;
}

WEAK const void *wctrans(const char *name) {
  static const char maps[2];
  if (strcmp(name, "tolower") == 0)
    return &maps[0];
  if (strcmp(name, "toupper") == 0)
    return &maps[1];
  return NULL;
}

WEAK wint_t towctrans(wint_t c, const void *map) {
  return map == wctrans("tolower") ? towlower(c) : map == wctrans("toupper") ? towupper(c) : c;
}

WEAK int wcwidth(wchar_t c) {
  unsigned value = (unsigned)c;
  if (labrys_is_utf8() && value > 127)
    return labrys_wide_property(value, WIDE_WIDTH);
  return (int)labrys_select(value == 0, 0,
                            labrys_select(IN(value, ' ', '~'), 1, (unsigned long long)-1));
}

WEAK int wcswidth(const wchar_t *text, size_t size) {
  int width = 0;
  for (; size > 0 && *text != 0; size--, text++) {
    int one = wcwidth(*text);
    if (one < 0)
      return -1;
    width += one;
  }
  return width;
}
