/* sort.c: sorting and searching in arrays, with the comparisons of glibc in their order. */
#include "engine.h"

typedef int Compare(const void *, const void *, void *);

static void merge_sort(char *base, size_t count, size_t size, Compare *compare, void *context,
                       char *scratch) {
  size_t left_count = count / 2, right_count = count - count / 2;
  char *left = base, *right = base + left_count * size, *to = scratch;
  if (count <= 1)
    return;
  merge_sort(left, left_count, size, compare, context, scratch);
  merge_sort(right, right_count, size, compare, context, scratch);
  while (left_count > 0 && right_count > 0) {
    if (compare(left, right, context) <= 0) {
      __builtin_memcpy(to, left, size);
      left += size;
      left_count--;
    } else {
      __builtin_memcpy(to, right, size);
      right += size;
      right_count--;
    }
    to += size;
  }
  /* What is left of the right half is in its place already. */
  __builtin_memcpy(to, left, left_count * size);
  __builtin_memcpy(base, scratch, (count - right_count) * size);
}

WEAK void qsort_r(void *base, size_t count, size_t size, Compare *compare, void *context) {
  char *scratch;
  if (count <= 1)
    return;
  scratch = labrys_malloc(count * size);
  merge_sort(base, count, size, compare, context, scratch);
  labrys_free(scratch);
}

struct PlainCompare {
  int (*function)(const void *, const void *);
};

static int call_plain(const void *left, const void *right, void *context) {
  return ((struct PlainCompare *)context)->function(left, right);
}

WEAK void qsort(void *base, size_t count, size_t size,
                int (*compare)(const void *, const void *)) {
  struct PlainCompare plain;
  plain.function = compare;
  qsort_r(base, count, size, call_plain, &plain);
}

WEAK void *bsearch(const void *key, const void *base, size_t count, size_t size,
                   int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order < 0)
      high = middle;
    else if (order > 0)
      low = middle + 1;
    else
      return (void *)element;
  }
  return NULL;
}

WEAK void *lfind(const void *key, const void *base, size_t *count, size_t size,
                 int (*compare)(const void *, const void *)) {
  const char *element = base;
  size_t i;
  for (i = 0; i < *count; i++, element += size)
    if (compare(key, element) == 0)
      return (void *)element;
  return NULL;
}

WEAK void *lsearch(const void *key, void *base, size_t *count, size_t size,
                   int (*compare)(const void *, const void *)) {
  void *found = lfind(key, base, count, size, compare);
  if (found == NULL) {
    found = (char *)base + *count * size;
    __builtin_memcpy(found, key, size);
    ++*count;
  }
  return found;
}

/* ---- Lists ---- */

struct Link {
  struct Link *next, *previous;
};

WEAK void insque(void *element, void *before) {
  struct Link *link = element, *at = before;
  if (at == NULL) {
    link->next = link->previous = NULL;
    return;
  }
  link->next = at->next;
  link->previous = at;
  if (at->next != NULL)
    at->next->previous = link;
  at->next = link;
}

WEAK void remque(void *element) {
  struct Link *link = element;
  if (link->next != NULL)
    link->next->previous = link->previous;
  if (link->previous != NULL)
    link->previous->next = link->next;
}
