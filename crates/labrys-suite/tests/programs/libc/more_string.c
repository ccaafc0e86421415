/* more_string.c: what GNU and POSIX add to <string.h>, and <libgen.h>. */
#include "check.h"
#include <unistd.h>

MODEL(memccpy); MODEL(memfrob); MODEL(strverscmp); MODEL(ffs); MODEL(ffsl); MODEL(ffsll);
MODEL(strerror_r); MODEL(strerrorname_np); MODEL(swab); MODEL(rpmatch);
extern char *model_strcasestr(const char *, const char *), *model_basename(const char *);
extern char *model___xpg_basename(char *), *__xpg_basename(char *);
extern char *model_dirname(char *), *dirname(char *);
extern size_t model_strlcpy(char *, const char *, size_t), model_strlcat(char *, const char *, size_t);
extern char *model___strcpy_chk(char *, const char *, size_t);
extern char *model___strcat_chk(char *, const char *, size_t);
extern int model___xpg_strerror_r(int, char *, size_t), __xpg_strerror_r(int, char *, size_t);

void check_more_strings(void) {
  char left[64], right[64], *a = text(0, below(10), few), *b = text(1, below(3), few);
  long value = (long)any() << below(64);
  size_t room = below(14), n = strlen(a), held;
  int c = few[below(5)], number = (int)below(200) - 20;
  CHECK(model_strcasestr(a, b) == strcasestr(a, b), "strcasestr %s %s", a, b);
  CHECK(model_ffs((int)value) == ffs((int)value), "ffs %lx", value);
  CHECK(model_ffsl(value) == ffsl(value) && model_ffsll(value) == ffsll(value), "ffsl %lx", value);
  memset(left, 'x', sizeof left);
  memset(right, 'x', sizeof right);
  {
    char *x = model_memccpy(left, a, c, n), *y = memccpy(right, a, c, n);
    CHECK((x ? x - left : -1) == (y ? y - right : -1) && !memcmp(left, right, 64), "memccpy");
  }
  model_swab(a, left, (ssize_t)n);
  swab(a, right, (ssize_t)n);
  CHECK(memcmp(left, right, 64) == 0, "swab");
  memset(left, 'x', sizeof left);
  CHECK(model_strlcpy(left, a, room) == n, "strlcpy");
  CHECK(room == 0 ? left[0] == 'x'
                  : strncmp(left, a, room - 1) == 0 && left[n < room ? n : room - 1] == 0,
        "strlcpy %s %zu", a, room);
  strcpy(left, b);
  held = strlen(b) < room ? strlen(b) : room;
  CHECK(model_strlcat(left, a, room) == held + n, "strlcat");
  a = text(0, below(9), "0019ab");
  b = text(1, below(9), "0019ab");
  if (below(2))
    memcpy(b, a, strlen(a) < strlen(b) ? below(strlen(a) + 1) : 0);
  CHECK(sign(model_strverscmp(a, b)) == sign(strverscmp(a, b)), "strverscmp %s %s", a, b);
  CHECK(model_strverscmp(a, b) == strverscmp(a, b), "strverscmp %s %s", a, b);
  a = text(0, below(8), "a/b/.");
  CHECK(model_basename(a) == basename(a), "basename %s", a);
  strcpy(left, a);
  strcpy(right, a);
  CHECK(strcmp(model___xpg_basename(left), __xpg_basename(right)) == 0 && !strcmp(left, right),
        "POSIX's basename %s", a);
  strcpy(left, a);
  strcpy(right, a);
  CHECK(strcmp(model_dirname(left), dirname(right)) == 0 && !strcmp(left, right), "dirname %s: %s %s", a,
        left, right);
  CHECK(strcmp(model_strerror_r(number, left, 64), strerror_r(number, right, 64)) == 0, "strerror_r");
  CHECK(model___xpg_strerror_r(number, left, room) == __xpg_strerror_r(number, right, room) &&
            (room == 0 || strcmp(left, right) == 0), "POSIX's strerror_r %d", number);
  if (setjmp(ended) == 0) {
    model___strcpy_chk(left, a, strlen(a));
    CHECK(0, "__strcpy_chk goes on");
  }
  CHECK(strcmp(error_kind, "abort") == 0, "__strcpy_chk");
  CHECK(strcmp(model___strcpy_chk(left, a, strlen(a) + 1), a) == 0, "__strcpy_chk");
}
