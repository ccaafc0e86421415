/* search.c: searching in strings. The place is a path; membership in a set of characters is
 * not. */
#include "engine.h"

WEAK char *strchrnul(const char *text, int wanted) {
  while ((*text != (char)wanted) & (*text != 0))
    text++;
  return (char *)text;
}

WEAK char *strchr(const char *text, int wanted) {
  const char *place = strchrnul(text, wanted);
  return *place == (char)wanted ? (char *)place : NULL;
}

WEAK char *strrchr(const char *text, int wanted) {
  size_t size = strlen(text) + 1;
  while (size > 0) {
    size--;
    if (text[size] == (char)wanted)
      return (char *)text + size;
  }
  return NULL;
}

WEAK char *index(const char *text, int wanted) { return strchr(text, wanted); }

WEAK char *rindex(const char *text, int wanted) { return strrchr(text, wanted); }

static int is_one_of(char c, const char *set, size_t size) {
  int member = 0;
  size_t i;
  for (i = 0; i < size; i++)
    member |= c == set[i];
  return member;
}

WEAK size_t strspn(const char *text, const char *set) {
  size_t set_size = strlen(set), size = 0;
  /* The end of the text is no member of the set. */
  while (is_one_of(text[size], set, set_size))
    size++;
  return size;
}

WEAK size_t strcspn(const char *text, const char *set) {
  size_t set_size = strlen(set), size = 0;
  while (!((text[size] == 0) | is_one_of(text[size], set, set_size)))
    size++;
  return size;
}

WEAK char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text != 0 ? (char *)text : NULL;
}

WEAK char *strstr(const char *text, const char *part) {
  size_t size = strlen(text), part_size = strlen(part), i, k;
  for (i = 0; part_size <= size && i <= size - part_size; i++) {
    int different = 0;
    for (k = 0; k < part_size; k++)
      different |= text[i + k] ^ part[k];
    if (!different)
      return (char *)text + i;
  }
  return NULL;
}

static int fold(int c) { return c + (((unsigned)c - 'A' < 26) << 5); }

WEAK char *strcasestr(const char *text, const char *part) {
  size_t size = strlen(text), part_size = strlen(part), i, k;
  for (i = 0; part_size <= size && i <= size - part_size; i++) {
    int different = 0;
    for (k = 0; k < part_size; k++)
      different |= fold((unsigned char)text[i + k]) ^ fold((unsigned char)part[k]);
    if (!different)
      return (char *)text + i;
  }
  return NULL;
}

WEAK char *__strcasestr(const char *text, const char *part) { return strcasestr(text, part); }

/* ---- Versions: digits are compared as numbers ---- */

static int is_digit(int c) { return (unsigned)c - '0' < 10; }

/* As glibc defines it: a run of digits with leading zeros is a fraction, and comes before the
 * same run without. */
WEAK int strverscmp(const char *left, const char *right) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  size_t i = 0, start, end_a, end_b;
  while (a[i] == b[i]) {
    if (a[i] == 0)
      return 0;
    i++;
  }
  /* The digits just before the difference belong to its run. */
  start = i;
  while (start > 0 && is_digit(a[start - 1]))
    start--;
  if (!is_digit(a[i]) && !is_digit(b[i]))
    return a[i] - b[i];
  if (start == i && !(is_digit(a[i]) && is_digit(b[i])))
    return a[i] - b[i];
  if (start < i ? a[start] == '0' : (a[i] == '0') | (b[i] == '0')) {
    /* Fractions: all zeros so far is before a digit that is none, and behind another digit. */
    size_t k = start;
    while (k < i && a[k] == '0')
      k++;
    if (k == i && start < i) {
      if (is_digit(a[i]) && !is_digit(b[i]))
        return -1;
      if (!is_digit(a[i]) && is_digit(b[i]))
        return 1;
    }
    return a[i] - b[i];
  }
  /* Integers: the longer one is larger. */
  end_a = end_b = i;
  while (is_digit(a[end_a]))
    end_a++;
  while (is_digit(b[end_b]))
    end_b++;
  if (end_a != end_b)
    return end_a < end_b ? -1 : 1;
  return a[i] - b[i];
}

WEAK int __strverscmp(const char *left, const char *right) { return strverscmp(left, right); }

/* ---- Parts of paths ---- */

/* GNU's basename; that of POSIX is __xpg_basename. */
WEAK char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : (char *)path;
}

WEAK char *__xpg_basename(char *path) {
  static char dot[] = ".";
  char *end, *start;
  if (path == NULL || *path == 0)
    return dot;
  end = path + strlen(path);
  if (end[-1] != '/')
    return basename(path);
  while (end > path && end[-1] == '/')
    end--;
  if (end == path)
    return path + strlen(path) - 1;
  *end = 0;
  start = end;
  while (start > path && start[-1] != '/')
    start--;
  return start;
}

WEAK char *dirname(char *path) {
  static char dot[] = ".";
  char *end;
  if (path == NULL || *path == 0)
    return dot;
  end = path + strlen(path);
  /* Slashes at the end, the last part, slashes before it. */
  while (end > path && end[-1] == '/')
    end--;
  if (end > path) {
    while (end > path && end[-1] != '/')
      end--;
    if (end == path)
      return dot;
    while (end > path && end[-1] == '/')
      end--;
  }
  if (end == path) {
    /* Exactly two slashes at the start may mean something else. */
    end = path + 1;
    if (path[1] == '/' && path[2] != '/')
      end++;
  }
  *end = 0;
  return path;
}
