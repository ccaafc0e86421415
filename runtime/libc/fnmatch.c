/* fnmatch.c: shell patterns, as the C locale has them. What a character of the text is, is a
 * path. */
#include "engine.h"

int iswctype(unsigned c, unsigned long class);
unsigned long wctype(const char *name);

enum { PATHNAME = 1, NOESCAPE = 2, PERIOD = 4, LEADING_DIR = 8, CASEFOLD = 16, EXTENDED = 32 };
enum { NO_MATCH = 1 };

static int fold(int c, int flags) {
  return flags & CASEFOLD ? c + (((unsigned)c - 'A' < 26) << 5) : c;
}

/* One member of a set: a character, possibly escaped or as [.x.] or [=x=]. */
static const char *read_member(const char *at, int flags, int *c) {
  if (*at == '[' && (at[1] == '.' || at[1] == '=') && at[2] != 0 && at[3] == at[1] &&
      at[4] == ']') {
    *c = (unsigned char)at[2];
    return at + 5;
  }
  if (*at == '\\' && !(flags & NOESCAPE) && at[1] != 0)
    at++;
  *c = (unsigned char)*at;
  return at + 1;
}

/* [:name:]; null if there is no such class here. */
static const char *read_class(const char *at, int c, int *is_member) {
  char name[16];
  size_t size = 0;
  unsigned long class;
  if (at[0] != '[' || at[1] != ':')
    return NULL;
  for (at += 2; *at != 0 && *at != ':'; at++)
    if (size + 1 < sizeof name)
      name[size++] = *at;
  name[size] = 0;
  class = wctype(name);
  if (at[0] != ':' || at[1] != ']' || class == 0)
    return NULL;
  *is_member |= iswctype((unsigned)c, class) != 0;
  return at + 2;
}

/* The end of the set that starts behind [, or null if it has none: then [ stands for itself. */
static const char *match_set(const char *at, int c, int flags, int *matched) {
  int is_negated = *at == '!' || *at == '^', is_member = 0, is_first = 1;
  at += is_negated;
  for (; is_first || *at != ']'; is_first = 0) {
    int low, high, folded;
    const char *after;
    if (*at == 0)
      return NULL;
    after = read_class(at, c, &is_member);
    if (after != NULL) {
      at = after;
      continue;
    }
    /* A slash ends the set where names of paths are matched. */
    if (*at == '/' && flags & PATHNAME)
      return NULL;
    at = read_member(at, flags, &low);
    high = low;
    if (*at == '-' && at[1] != ']' && at[1] != 0)
      at = read_member(at + 1, flags, &high);
    low = fold(low, flags);
    high = fold(high, flags);
    folded = fold(c, flags);
    is_member |= (folded >= low) & (folded <= high);
  }
  *matched = is_member != is_negated;
  return at + 1;
}

/* Is this a period that only a period matches? */
static int is_hidden(const char *text, const char *start, int flags) {
  return *text == '.' && flags & PERIOD &&
         (text == start || (flags & PATHNAME && text[-1] == '/'));
}

static int match(const char *pattern, const char *text, const char *start, int flags) {
  for (; *pattern != 0; text++) {
    int c = (unsigned char)*pattern++, matched;
    const char *after;
    switch (c) {
    case '?':
      if (*text == 0 || (*text == '/' && flags & PATHNAME) || is_hidden(text, start, flags))
        return NO_MATCH;
      continue;
    case '*':
      if (is_hidden(text, start, flags))
        return NO_MATCH;
      while (*pattern == '*')
        pattern++;
      for (;; text++) {
        if (match(pattern, text, start, flags & ~PERIOD) == 0 &&
            !(is_hidden(text, start, flags) && *pattern != '.'))
          return 0;
        if (*text == 0 || (*text == '/' && flags & PATHNAME))
          return *text == '/' && flags & PATHNAME && *pattern == '/'
                     ? match(pattern, text, start, flags)
                     : NO_MATCH;
      }
    case '[':
      if (*text == 0 || (*text == '/' && flags & PATHNAME) || is_hidden(text, start, flags))
        return NO_MATCH;
      after = match_set(pattern, (unsigned char)*text, flags, &matched);
      if (after != NULL) {
        if (!matched)
          return NO_MATCH;
        pattern = after;
        continue;
      }
      break;
    case '\\':
      if (!(flags & NOESCAPE)) {
        c = (unsigned char)*pattern;
        if (c == 0)
          return NO_MATCH;
        pattern++;
      }
      break;
    }
    if (fold((unsigned char)*text, flags) != fold(c, flags) || *text == 0)
      return NO_MATCH;
  }
  if (*text == 0 || (flags & LEADING_DIR && *text == '/'))
    return 0;
  return NO_MATCH;
}

WEAK int fnmatch(const char *pattern, const char *text, int flags) {
  if (flags & EXTENDED)
    labrys_touch("environment: extended patterns of fnmatch");
  return match(pattern, text, text, flags);
}
