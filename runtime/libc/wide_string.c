/* wide_string.c: the strings of <wchar.h>, as <string.h> has them for bytes. */
#include "wide.h"

WEAK size_t wcslen(const wchar_t *text) {
  size_t size = 0;
  while (text[size] != 0)
    size++;
  return size;
}

WEAK size_t wcsnlen(const wchar_t *text, size_t most) {
  size_t size = 0;
  while (size < most && text[size] != 0)
    size++;
  return size;
}

WEAK wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  __builtin_memcpy(to, from, size * sizeof *to);
  return to;
}

WEAK wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  __builtin_memcpy(to, from, size * sizeof *to);
  return to + size;
}

WEAK wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t size) {
  __builtin_memmove(to, from, size * sizeof *to);
  return to;
}

WEAK wchar_t *wmemset(wchar_t *to, wchar_t c, size_t size) {
  size_t i;
  for (i = 0; i < size; i++)
    to[i] = c;
  return to;
}

/* From the last to the first: each difference overrides those behind it. */
WEAK int wmemcmp(const wchar_t *left, const wchar_t *right, size_t size) {
  int result = 0;
  while (size > 0) {
    int order;
    size--;
    order = (left[size] > right[size]) - (left[size] < right[size]);
    result = (int)labrys_select(order != 0, (unsigned long long)order, (unsigned long long)result);
  }
  return result;
}

WEAK wchar_t *wmemchr(const wchar_t *text, wchar_t wanted, size_t size) {
  for (; size > 0; size--, text++)
    if (*text == wanted)
      return (wchar_t *)text;
  return NULL;
}

WEAK wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
  while ((*to = *from) != 0) {
    to++;
    from++;
  }
  return to;
}

WEAK wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  wcpcpy(to, from);
  return to;
}

WEAK wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  size_t used = wcsnlen(from, size);
  wmemcpy(to, from, used);
  wmemset(to + used, 0, size - used);
  return to + used;
}

WEAK wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  wcpncpy(to, from, size);
  return to;
}

WEAK wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  wcpcpy(to + wcslen(to), from);
  return to;
}

WEAK wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  wchar_t *end = to + wcslen(to);
  size_t used = wcsnlen(from, size);
  wmemcpy(end, from, used);
  end[used] = 0;
  return to;
}

WEAK wchar_t *wcsdup(const wchar_t *text) {
  size_t size = wcslen(text) + 1;
  wchar_t *copy = malloc(size * sizeof *copy);
  return copy != NULL ? wmemcpy(copy, text, size) : NULL;
}

static wint_t same(wint_t c) { return c; }

wint_t towlower(wint_t c);

static int compare(const wchar_t *left, const wchar_t *right, size_t size,
                   wint_t (*map)(wint_t)) {
  for (; size > 0; size--, left++, right++) {
    wchar_t a = (wchar_t)map((wint_t)*left), b = (wchar_t)map((wint_t)*right);
    if (a != b)
      return a < b ? -1 : 1;
    if (a == 0)
      break;
  }
  return 0;
}

WEAK int wcscmp(const wchar_t *left, const wchar_t *right) {
  return compare(left, right, SIZE_MAX, same);
}

WEAK int wcsncmp(const wchar_t *left, const wchar_t *right, size_t size) {
  return compare(left, right, size, same);
}

WEAK int wcscasecmp(const wchar_t *left, const wchar_t *right) {
  return compare(left, right, SIZE_MAX, towlower);
}

WEAK int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t size) {
  return compare(left, right, size, towlower);
}

WEAK int wcscoll(const wchar_t *left, const wchar_t *right) {
  return compare(left, right, SIZE_MAX, same);
}

WEAK size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  size_t needed = wcslen(from);
  wmemcpy(to, from, needed + 1 < size ? needed + 1 : size);
  return needed;
}

WEAK wchar_t *wcschrnul(const wchar_t *text, wchar_t wanted) {
  while ((*text != wanted) & (*text != 0))
    text++;
  return (wchar_t *)text;
}

WEAK wchar_t *wcschr(const wchar_t *text, wchar_t wanted) {
  const wchar_t *place = wcschrnul(text, wanted);
  return *place == wanted ? (wchar_t *)place : NULL;
}

WEAK wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted) {
  size_t size = wcslen(text) + 1;
  while (size > 0)
    if (text[--size] == wanted)
      return (wchar_t *)text + size;
  return NULL;
}

static int is_one_of(wchar_t c, const wchar_t *set, size_t size) {
  int member = 0;
  size_t i;
  for (i = 0; i < size; i++)
    member |= c == set[i];
  return member;
}

WEAK size_t wcsspn(const wchar_t *text, const wchar_t *set) {
  size_t set_size = wcslen(set), size = 0;
  while (is_one_of(text[size], set, set_size))
    size++;
  return size;
}

WEAK size_t wcscspn(const wchar_t *text, const wchar_t *set) {
  size_t set_size = wcslen(set), size = 0;
  while (!((text[size] == 0) | is_one_of(text[size], set, set_size)))
    size++;
  return size;
}

WEAK wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set) {
  text += wcscspn(text, set);
  return *text != 0 ? (wchar_t *)text : NULL;
}

WEAK wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  size_t size = wcslen(text), part_size = wcslen(part), i;
  for (i = 0; part_size <= size && i <= size - part_size; i++)
    if (wmemcmp(text + i, part, part_size) == 0)
      return (wchar_t *)text + i;
  return NULL;
}

WEAK wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict set,
                     wchar_t **restrict rest) {
  wchar_t *end;
  if (text == NULL)
    text = *rest;
  if (text == NULL)
    return NULL;
  text += wcsspn(text, set);
  if (*text == 0) {
    *rest = NULL;
    return NULL;
  }
  end = text + wcscspn(text, set);
  if (*end != 0) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return text;
}
