/* string.c: <string.h>, <strings.h> and <ctype.h>. */
#include "check.h"

MODEL(memcpy); MODEL(memmove); MODEL(memset); MODEL(memcmp); MODEL(memrchr);
MODEL(mempcpy); MODEL(memmem); MODEL(bcmp); MODEL(strlen); MODEL(strnlen); MODEL(strcpy);
MODEL(strncpy); MODEL(stpcpy); MODEL(stpncpy); MODEL(strcat); MODEL(strncat); MODEL(strcmp);
MODEL(strncmp); MODEL(strcasecmp); MODEL(strncasecmp); MODEL(strcoll); MODEL(strspn);
MODEL(strcspn); MODEL(strtok); MODEL(strtok_r); MODEL(strdup); MODEL(strndup); MODEL(strsep);
MODEL(strxfrm); MODEL(isalpha); MODEL(isdigit); MODEL(isalnum); MODEL(isspace); MODEL(isupper);
MODEL(islower); MODEL(isxdigit); MODEL(isprint); MODEL(isgraph); MODEL(ispunct); MODEL(iscntrl);
MODEL(isblank); MODEL(toupper); MODEL(tolower); MODEL(__ctype_b_loc);
MODEL(__ctype_tolower_loc); MODEL(__ctype_toupper_loc); MODEL(free);
/* Those that the headers declare with qualifiers of their own. */
extern char *model_strchr(const char *, int), *model_strrchr(const char *, int);
extern char *model_strchrnul(const char *, int), *model_strstr(const char *, const char *);
extern char *model_strpbrk(const char *, const char *);
extern void *model_memchr(const void *, int, size_t);
extern size_t labrys_length(const char *, size_t);

void check_memory(void) {
  size_t n = below(20), i;
  char *a = text(0, n, few), *b = text(1, n, few);
  char left[64], right[64];
  int c = few[below(5)];
  size_t to = below(20), from = below(20);
  CHECK(sign(model_memcmp(a, b, n)) == sign(memcmp(a, b, n)), "memcmp %s %s", a, b);
  CHECK((model_bcmp(a, b, n) == 0) == (memcmp(a, b, n) == 0), "bcmp %s %s", a, b);
  CHECK(model_memchr(a, c, n) == memchr(a, c, n), "memchr %s %d", a, c);
  CHECK(model_memchr(a, 0, n + 1) == a + n, "memchr %s 0", a);
  CHECK(model_memrchr(a, c, n) == memrchr(a, c, n), "memrchr %s %d", a, c);
  CHECK(model_memmem(a, n, b, n / 4) == memmem(a, n, b, n / 4), "memmem %s %s", a, b);
  for (i = 0; i < sizeof left; i++)
    left[i] = right[i] = (char)any();
  CHECK(model_memmove(left + to, left + from, n) == left + to, "memmove");
  memmove(right + to, right + from, n);
  CHECK(memcmp(left, right, sizeof left) == 0, "memmove %zu %zu %zu", to, from, n);
  CHECK(model_memcpy(left, a, n) == left && memcmp(left, a, n) == 0, "memcpy");
  CHECK(model_mempcpy(left, b, n) == left + n && memcmp(left, b, n) == 0, "mempcpy");
  CHECK(model_memset(left, c, n) == left, "memset");
  memset(right, c, n);
  CHECK(memcmp(left, right, n) == 0, "memset");
}

void check_compare(void) {
  size_t n = below(12), m = below(12), limit = below(14);
  char *a = text(0, n, few), *b = text(1, m, few);
  if (below(3) == 0 && n <= m)
    memcpy(b, a, n);
#define SAME(call) CHECK(sign(model_##call) == sign(call), #call " of %s and %s, %zu", a, b, limit)
  SAME(strcmp(a, b));
  SAME(strncmp(a, b, limit));
  SAME(strcasecmp(a, b));
  SAME(strncasecmp(a, b, limit));
  SAME(strcoll(a, b));
#undef SAME
  if (n > 0 && m > 0 && a[0] != b[0])
    CHECK(model_strcmp(a, b) == (unsigned char)a[0] - (unsigned char)b[0], "strcmp's value");
}

void check_search(void) {
  char *a = text(0, below(12), few), *b = text(1, below(3), few);
  int c = below(6) ? few[below(5)] : 0;
  size_t limit = below(14);
  CHECK(model_strlen(a) == strlen(a), "strlen %s", a);
  CHECK(labrys_length(a, limit) == strnlen(a, limit), "length %s %zu", a, limit);
  CHECK(model_strnlen(a, limit) == strnlen(a, limit), "strnlen %s", a);
  CHECK(model_strchr(a, c) == strchr(a, c), "strchr %s %d", a, c);
  CHECK(model_strrchr(a, c) == strrchr(a, c), "strrchr %s %d", a, c);
  CHECK(model_strchrnul(a, c) == strchrnul(a, c), "strchrnul %s %d", a, c);
  CHECK(model_strstr(a, b) == strstr(a, b), "strstr %s %s", a, b);
  CHECK(model_strspn(a, b) == strspn(a, b), "strspn %s %s", a, b);
  CHECK(model_strcspn(a, b) == strcspn(a, b), "strcspn %s %s", a, b);
  CHECK(model_strpbrk(a, b) == strpbrk(a, b), "strpbrk %s %s", a, b);
}

void check_copy(void) {
  char *a = text(0, below(12), few), *copied;
  char left[64], right[64];
  size_t limit = below(20);
#define BOTH(function, ...)                                                                    \
  memset(left, 'x', sizeof left);                                                              \
  memset(right, 'x', sizeof right);                                                            \
  left[3] = right[3] = 0;                                                                      \
  CHECK(model_##function(left, __VA_ARGS__) - left == function(right, __VA_ARGS__) - right,    \
        #function " result");                                                                  \
  CHECK(memcmp(left, right, sizeof left) == 0, #function " of %s, %zu", a, limit)
  BOTH(strcpy, a);
  BOTH(stpcpy, a);
  BOTH(strncpy, a, limit);
  BOTH(stpncpy, a, limit);
  BOTH(strcat, a);
  BOTH(strncat, a, limit);
#undef BOTH
  CHECK(model_strxfrm(left, a, limit) == strlen(a), "strxfrm");
  copied = model_strdup(a);
  CHECK(strcmp(copied, a) == 0, "strdup");
  model_free(copied);
  copied = model_strndup(a, limit);
  CHECK(strlen(copied) == strnlen(a, limit) && strncmp(copied, a, limit) == 0, "strndup");
  model_free(copied);
}

void check_split(void) {
  size_t n = below(14);
  char *a = text(0, n, "ab,; "), *b = text(1, n, "x"), *rest_a, *rest_b, *x, *y;
  const char *set = below(2) ? ",; " : ",";
  int round;
  memcpy(b, a, n);
  x = model_strtok_r(a, set, &rest_a);
  y = strtok_r(b, set, &rest_b);
  for (round = 0; round < 20; round++) {
    CHECK((x == NULL) == (y == NULL) && (!x || (x - a == y - b && strcmp(x, y) == 0)), "strtok_r");
    x = model_strtok_r(NULL, set, &rest_a);
    y = strtok_r(NULL, set, &rest_b);
  }
  a = text(0, n, "ab,; ");
  memcpy(b, a, n);
  rest_a = a;
  rest_b = b;
  for (round = 0; round < 20; round++) {
    x = model_strsep(&rest_a, set);
    y = strsep(&rest_b, set);
    CHECK((x == NULL) == (y == NULL) && (!x || (x - a == y - b && strcmp(x, y) == 0)), "strsep");
  }
  a = text(0, n, "ab,; ");
  memcpy(b, a, n);
  x = model_strtok(a, set);
  y = strtok(b, set);
  for (round = 0; round < 20; round++) {
    CHECK((x == NULL) == (y == NULL) && (!x || strcmp(x, y) == 0), "strtok");
    x = model_strtok(NULL, set);
    y = strtok(NULL, set);
  }
}

void check_characters(void) {
  int c;
  for (c = -128; c < 256; c++) {
    CHECK((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "class of %d", c);
    CHECK((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "lower %d", c);
    CHECK((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "upper %d", c);
    if (c < -1)
      continue;
#define CLASS(f) CHECK(model_##f(c) == (f)(c), #f " %d: %d %d", c, model_##f(c), (f)(c))
    CLASS(isalpha); CLASS(isdigit); CLASS(isalnum); CLASS(isspace); CLASS(isupper);
    CLASS(islower); CLASS(isxdigit); CLASS(isprint); CLASS(isgraph); CLASS(ispunct);
    CLASS(iscntrl); CLASS(isblank); CLASS(toupper); CLASS(tolower);
#undef CLASS
  }
}
