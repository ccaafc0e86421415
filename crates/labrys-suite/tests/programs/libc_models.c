/* Compares every model of runtime/libc with the function of the host's C library on random
 * inputs. The models are linked under names with the prefix model_; the engine's primitives are
 * implemented here. Strings end right before a page that cannot be read, so that reading one
 * byte too many is a crash. With `pretend` every value counts as symbolic, which takes the
 * models through the ways that they go for inputs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define MODEL(name) extern __typeof__(name) model_##name
MODEL(memcpy); MODEL(memmove); MODEL(memset); MODEL(memcmp); MODEL(memrchr);
MODEL(mempcpy); MODEL(memmem); MODEL(bcmp); MODEL(strlen); MODEL(strnlen); MODEL(strcpy);
MODEL(strncpy); MODEL(stpcpy); MODEL(stpncpy); MODEL(strcat); MODEL(strncat); MODEL(strcmp);
MODEL(strncmp); MODEL(strcasecmp); MODEL(strncasecmp); MODEL(strcoll); MODEL(strspn);
MODEL(strcspn); MODEL(strtok); MODEL(strtok_r); MODEL(strdup); MODEL(strndup); MODEL(strsep);
MODEL(strxfrm); MODEL(isalpha); MODEL(isdigit); MODEL(isalnum); MODEL(isspace); MODEL(isupper);
MODEL(islower); MODEL(isxdigit); MODEL(isprint); MODEL(isgraph); MODEL(ispunct); MODEL(iscntrl);
MODEL(isblank); MODEL(toupper); MODEL(tolower); MODEL(__ctype_b_loc);
MODEL(__ctype_tolower_loc); MODEL(__ctype_toupper_loc); MODEL(malloc); MODEL(calloc);
MODEL(realloc); MODEL(free); MODEL(posix_memalign); MODEL(abs); MODEL(labs); MODEL(llabs);
MODEL(div); MODEL(ldiv); MODEL(atoi); MODEL(atol); MODEL(atoll); MODEL(strtol); MODEL(strtoul);
MODEL(strtoll); MODEL(strtoull); MODEL(qsort); MODEL(bsearch); MODEL(rand); MODEL(srand);
MODEL(rand_r); MODEL(getenv); MODEL(exit); MODEL(abort); MODEL(atexit); MODEL(printf);
MODEL(fprintf); MODEL(puts); MODEL(putchar); MODEL(fputs); MODEL(fwrite); MODEL(snprintf);
MODEL(sprintf); MODEL(vsnprintf); MODEL(asprintf); MODEL(perror); MODEL(strerror);
MODEL(getchar); MODEL(fgets); MODEL(feof); MODEL(stdin); MODEL(stdout); MODEL(stderr);
/* Those that the headers declare with qualifiers of their own. */
extern char *model_strchr(const char *, int), *model_strrchr(const char *, int);
extern char *model_strchrnul(const char *, int), *model_strstr(const char *, const char *);
extern char *model_strpbrk(const char *, const char *);
extern void *model_memchr(const void *, int, size_t);
extern long model___isoc23_strtol(const char *, char **, int);
extern int *model___errno_location(void);
extern void model___assert_fail(const char *, const char *, unsigned, const char *);
extern int model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);

static int failures;
#define CHECK(condition, ...)                                                                  \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      printf("line %d: ", __LINE__);                                                           \
      printf(__VA_ARGS__);                                                                     \
      putchar('\n');                                                                           \
      if (++failures > 20)                                                                     \
        exit(1);                                                                               \
    }                                                                                          \
  } while (0)

/* ---- The engine's primitives ---- */

enum { ARENA = 4096 };
static char *arenas[3];
static int pretend;
static char captured[3][1 << 16];
static size_t captured_size[3];
static jmp_buf ended;
static const char *error_kind;

void *labrys_malloc(size_t size) { return malloc(size); }
void *labrys_malloc_aligned(size_t alignment, size_t size) {
  void *block = NULL;
  return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}
void labrys_free(void *ptr) { free(ptr); }
size_t labrys_object_size(const void *ptr) {
  int i;
  for (i = 0; i < 3; i++)
    if ((const char *)ptr >= arenas[i] && (const char *)ptr <= arenas[i] + ARENA)
      return (size_t)(arenas[i] + ARENA - (const char *)ptr);
  return malloc_usable_size((void *)ptr);
}
unsigned long long labrys_select(int condition, unsigned long long yes, unsigned long long no) {
  return condition ? yes : no;
}
int labrys_is_symbolic(unsigned long long value) {
  (void)value;
  return pretend;
}
unsigned long long labrys_current(unsigned long long value) { return value; }
void labrys_write(int descriptor, const void *bytes, size_t size) {
  memcpy(captured[descriptor] + captured_size[descriptor], bytes, size);
  captured_size[descriptor] += size;
}
int labrys_format_double(char *to, size_t size, const char *spec, double value) {
  return snprintf(to, size, spec, value);
}
void labrys_exit(int status) { longjmp(ended, status + 1); }
void labrys_error(const char *kind) {
  error_kind = kind;
  longjmp(ended, 1000);
}

/* ---- Random inputs ---- */

static uint64_t state = 88172645463325252u;
static uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
static size_t below(size_t n) { return (size_t)(any() % n); }

static void make_arenas(void) {
  int i;
  for (i = 0; i < 3; i++) {
    arenas[i] = mmap(NULL, 2 * ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(arenas[i] + ARENA, ARENA, PROT_NONE);
  }
}

/* A string of that alphabet which ends right before the page that cannot be read. */
static char *text(int arena, size_t size, const char *alphabet) {
  size_t letters = strlen(alphabet), i;
  char *start = arenas[arena] + ARENA - size - 1;
  for (i = 0; i < size; i++)
    start[i] = alphabet[below(letters)];
  start[size] = 0;
  return start;
}

static int sign(int value) { return (value > 0) - (value < 0); }

/* ---- The comparisons ---- */

static const char *const few = "abAB\xe9";

static void memory(void) {
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

static void compare(void) {
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

static void search(void) {
  char *a = text(0, below(12), few), *b = text(1, below(3), few);
  int c = below(6) ? few[below(5)] : 0;
  size_t limit = below(14);
  CHECK(model_strlen(a) == strlen(a), "strlen %s", a);
  CHECK(model_strnlen(a, limit) == strnlen(a, limit), "strnlen %s", a);
  CHECK(model_strchr(a, c) == strchr(a, c), "strchr %s %d", a, c);
  CHECK(model_strrchr(a, c) == strrchr(a, c), "strrchr %s %d", a, c);
  CHECK(model_strchrnul(a, c) == strchrnul(a, c), "strchrnul %s %d", a, c);
  CHECK(model_strstr(a, b) == strstr(a, b), "strstr %s %s", a, b);
  CHECK(model_strspn(a, b) == strspn(a, b), "strspn %s %s", a, b);
  CHECK(model_strcspn(a, b) == strcspn(a, b), "strcspn %s %s", a, b);
  CHECK(model_strpbrk(a, b) == strpbrk(a, b), "strpbrk %s %s", a, b);
}

static void copy(void) {
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

static void split(void) {
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

static void characters(void) {
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

#define NUMBER(function, base)                                                                 \
  do {                                                                                         \
    char *end_a = NULL, *end_b = NULL;                                                         \
    int error_a, error_b;                                                                      \
    __typeof__(function(a, &end_a, base)) x, y;                                                \
    *model___errno_location() = 0;                                                             \
    x = model_##function(a, &end_a, base);                                                     \
    error_a = *model___errno_location();                                                       \
    errno = 0;                                                                                 \
    y = function(a, &end_b, base);                                                             \
    error_b = errno;                                                                           \
    CHECK(x == y && end_a == end_b && error_a == error_b,                                      \
          #function "(\"%s\", %d): %lld %lld, end %td %td, errno %d %d", a, base, (long long)x,\
          (long long)y, end_a ? end_a - a : -1, end_b ? end_b - a : -1, error_a, error_b);     \
  } while (0)

static void numbers(void) {
  static const char *const alphabets[] = {"0123456789", "0x1aF", "-+ 19\t", "09", "zZ9f"};
  static const char *const edges[] = {
      "9223372036854775807",  "9223372036854775808",  "-9223372036854775808", "0x",
      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0xg",
      "-18446744073709551615", "0x7fffffffffffffff",  "0x8000000000000000",   "0",
      "-18446744073709551616", "0b11", "", "-", "08", "  +0X1f", "-0x", "2147483648"};
  static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37, -1, 7};
  int base = bases[below(10)];
  char *a = text(0, below(24), alphabets[below(5)]);
  if (below(3) == 0) {
    const char *edge = edges[below(20)];
    a = text(0, strlen(edge), "0");
    strcpy(a, edge);
  }
  NUMBER(strtol, base);
  NUMBER(strtoul, base);
  NUMBER(strtoll, base);
  NUMBER(strtoull, base);
  CHECK(model_atoi(a) == atoi(a), "atoi %s", a);
  CHECK(model_atol(a) == atol(a), "atol %s", a);
  CHECK(model_atoll(a) == atoll(a), "atoll %s", a);
}

/* Random formats with arguments of the right type. */
static void formats(void) {
  static const char *const sizes[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
  static const char *const flags[] = {"", "-", "+", " ", "#", "0", "+0", "-#", "#0", "-0", "+ "};
  char form[64], left[128], right[128], inner[40];
  const char *size = sizes[below(8)], *flag = flags[below(11)];
  size_t room = below(4) ? sizeof left : below(12);
  int x, y, used, width = (int)below(20) - 10, precision = (int)below(10) - 3;
  const char *string = below(5) ? text(0, below(9), few) : NULL;
  uint64_t value = below(3) ? any() : any() % 100;
  used = sprintf(inner, "%s", flag);
  if (below(2))
    used += sprintf(inner + used, "%d", (int)below(15));
  if (below(2))
    used += sprintf(inner + used, ".%d", (int)below(12));
  memset(left, '?', sizeof left);
  memset(right, '?', sizeof right);
#define FORMAT(...)                                                                            \
  do {                                                                                         \
    x = model_snprintf(left, room, form, __VA_ARGS__);                                         \
    y = snprintf(right, room, form, __VA_ARGS__);                                              \
    CHECK(x == y && memcmp(left, right, sizeof left) == 0, "snprintf(%zu, \"%s\"): %d '%s' %d '%s'",   \
          room, form, x, left, y, right);                                                      \
  } while (0)
  switch (below(6)) {
  case 0:
  case 1:
    sprintf(form, "<%%%s%s%c>", inner, size, "diuxXo"[below(6)]);
    if (strlen(size) && *size != 'h')
      FORMAT((long)value);
    else
      FORMAT((int)value);
    break;
  case 2:
    sprintf(form, "<%%%ss|%%%sc>", inner, flag);
    FORMAT(string, (int)'q');
    break;
  case 3:
    sprintf(form, "%%%s%c%%%%", inner, "feEgGaA"[below(7)]);
    FORMAT((double)(int64_t)value / 1000.0);
    break;
  case 4:
    sprintf(form, "%%%sp", flag);
    FORMAT((void *)(string ? value : 0));
    break;
  default:
    sprintf(form, "%%%s*.*d %%s%%n", flag);
    FORMAT(width, precision, (int)value, "end", &used);
  }
#undef FORMAT
}

static void streams(void) {
  char *made = NULL;
  captured_size[1] = captured_size[2] = 0;
  CHECK(model_printf("%d %s|", -7, "text") == 8, "printf's value");
  CHECK(model_puts("line") == 5 && model_putchar('c' + 256) == 'c', "puts, putchar");
  model_fputs("out", model_stdout);
  CHECK(model_fwrite("abcdef", 2, 3, model_stdout) == 3, "fwrite");
  model_fprintf(model_stderr, "%0200d", 5);
  *model___errno_location() = ENOENT;
  model_perror("file");
  CHECK(captured_size[1] == 23 && memcmp(captured[1], "-7 text|line\ncoutabcdef", 23) == 0,
        "stdout: %.*s", (int)captured_size[1], captured[1]);
  CHECK(captured_size[2] == 232 && memcmp(captured[2] + 199, "5file: No such file or directory\n",
                                          33) == 0, "stderr %zu", captured_size[2]);
  CHECK(model_asprintf(&made, "%300d", 3) == 300 && strlen(made) == 300, "asprintf");
  model_free(made);
  CHECK(model___snprintf_chk(captured[0], 10, 1, 10, "%d", 12) == 2, "__snprintf_chk");
  CHECK(model_getchar() == EOF && model_feof(model_stdin), "getchar");
  CHECK(model_fgets(captured[0], 10, model_stdin) == NULL, "fgets");
}

/* The order of comparisons is part of what a replay sees. */
static char calls[2][1 << 16];
static size_t call_count[2];
static int who;
static int by_first(const void *a, const void *b) {
  const unsigned char *x = a, *y = b;
  if (call_count[who] + 4 < sizeof calls[who]) {
    memcpy(calls[who] + call_count[who], a, 2);
    memcpy(calls[who] + call_count[who] + 2, b, 2);
    call_count[who] += 4;
  }
  return *x - *y;
}

static void sorting(void) {
  unsigned char left[40][2], right[40][2], key[2];
  size_t n = below(40), i;
  for (i = 0; i < n; i++) {
    left[i][0] = right[i][0] = (unsigned char)below(12);
    left[i][1] = right[i][1] = (unsigned char)i;
  }
  call_count[0] = call_count[1] = 0;
  who = 0;
  model_qsort(left, n, 2, by_first);
  who = 1;
  qsort(right, n, 2, by_first);
  CHECK(memcmp(left, right, 2 * n) == 0, "qsort of %zu", n);
  CHECK(call_count[0] == call_count[1] && memcmp(calls[0], calls[1], call_count[0]) == 0,
        "the comparisons of qsort");
  key[0] = (unsigned char)below(13);
  key[1] = 0;
  CHECK((char *)model_bsearch(key, left, n, 2, by_first) - (char *)left ==
            (char *)bsearch(key, left, n, 2, by_first) - (char *)left, "bsearch");
}

static void generators(void) {
  unsigned seed = below(4) ? (unsigned)any() : (unsigned)below(3), a = seed, b = seed;
  int i;
  model_srand(seed);
  srand(seed);
  for (i = 0; i < 100; i++) {
    CHECK(model_rand() == rand(), "rand %d of seed %u", i, seed);
    CHECK(model_rand_r(&a) == rand_r(&b) && a == b, "rand_r");
  }
}

static void arithmetic(void) {
  int x = (int)any(), y = (int)any() | 1;
  long l = (long)any();
  div_t d = model_div(x, y);
  ldiv_t e = model_ldiv(l, y);
  CHECK(d.quot == x / y && d.rem == x % y, "div");
  CHECK(e.quot == l / y && e.rem == l % y, "ldiv");
  CHECK(model_abs(x) == abs(x) && model_labs(l) == labs(l) && model_llabs(l) == llabs(l), "abs");
}

static void heap(void) {
  size_t n = below(100), i;
  unsigned char *block = model_calloc(n, 3), *bigger;
  void *aligned = NULL;
  for (i = 0; i < 3 * n; i++)
    CHECK(block[i] == 0, "calloc");
  for (i = 0; i < 3 * n; i++)
    block[i] = (unsigned char)i;
  bigger = model_realloc(block, 3 * n + 50);
  for (i = 0; i < 3 * n; i++)
    CHECK(bigger[i] == (unsigned char)i, "realloc");
  model_free(bigger);
  CHECK(model_calloc(SIZE_MAX / 2, 3) == NULL && *model___errno_location() == ENOMEM, "calloc");
  CHECK(model_malloc(SIZE_MAX) == NULL, "malloc");
  CHECK(model_posix_memalign(&aligned, 64, 10) == 0 && (uintptr_t)aligned % 64 == 0, "memalign");
  model_free(aligned);
  CHECK(model_posix_memalign(&aligned, 3, 10) == EINVAL, "posix_memalign");
}

static void handler_a(void) { model_putchar('a'); }
static void handler_b(void) { model_putchar('b'); }

static void ends(void) {
  int status, i;
  captured_size[1] = 0;
  model_atexit(handler_a);
  model_atexit(handler_b);
  status = setjmp(ended);
  if (status == 0)
    model_exit(3);
  CHECK(status == 4 && captured_size[1] == 2 && memcmp(captured[1], "ba", 2) == 0, "exit");
  if (setjmp(ended) == 0)
    model_abort();
  CHECK(strcmp(error_kind, "abort") == 0, "abort");
  if (setjmp(ended) == 0)
    model___assert_fail("x", "f.c", 1, "f");
  CHECK(strcmp(error_kind, "assertion") == 0, "assert");
  for (i = -1; i < 140; i++)
    CHECK(strcmp(model_strerror(i), strerror(i)) == 0, "strerror %d", i);
  CHECK(model_getenv("PATH") == NULL, "getenv");
  CHECK(model___isoc23_strtol("0b101", NULL, 0) == 5, "binary prefix");
  CHECK(model___isoc23_strtol("0b101", NULL, 2) == 5, "binary prefix");
}

int main(void) {
  int round;
  make_arenas();
  characters();
  streams();
  ends();
  for (round = 0; round < 20000; round++) {
    pretend = round & 1;
    memory();
    compare();
    search();
    copy();
    split();
    numbers();
    arithmetic();
    formats();
    formats();
    if (round % 20 == 0) {
      sorting();
      generators();
      heap();
    }
  }
  if (failures == 0)
    puts("all models agree");
  return failures != 0;
}
