/* stdlib.c: <stdlib.h> but for the numbers, and the ends of a program. */
#include "check.h"

MODEL(malloc); MODEL(calloc); MODEL(realloc); MODEL(free); MODEL(posix_memalign); MODEL(abs);
MODEL(labs); MODEL(llabs); MODEL(div); MODEL(ldiv); MODEL(qsort); MODEL(bsearch); MODEL(rand);
MODEL(srand); MODEL(rand_r); MODEL(getenv); MODEL(exit); MODEL(abort); MODEL(atexit);
MODEL(putchar); MODEL(strerror); MODEL(srand48); MODEL(drand48); MODEL(lrand48); MODEL(mrand48);
MODEL(nrand48); MODEL(seed48); MODEL(qsort_r);
extern void model___assert_fail(const char *, const char *, unsigned, const char *);
extern long model___isoc23_strtol(const char *, char **, int);

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

void check_sorting(void) {
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

void check_generators(void) {
  unsigned seed = below(4) ? (unsigned)any() : (unsigned)below(3), a = seed, b = seed;
  int i;
  unsigned short words_a[3] = {(unsigned short)any(), 2, 3}, words_b[3];
  memcpy(words_b, words_a, sizeof words_a);
  model_srand48((long)seed);
  srand48((long)seed);
  model_srand(seed);
  srand(seed);
  for (i = 0; i < 100; i++) {
    CHECK(model_rand() == rand(), "rand %d of seed %u", i, seed);
    CHECK(model_drand48() == drand48() && model_lrand48() == lrand48() && model_mrand48() == mrand48(), "drand48");
    CHECK(model_nrand48(words_a) == nrand48(words_b), "nrand48");
    CHECK(model_rand_r(&a) == rand_r(&b) && a == b, "rand_r");
  }
}

void check_arithmetic(void) {
  int x = (int)any(), y = (int)any() | 1;
  long l = (long)any();
  div_t d = model_div(x, y);
  ldiv_t e = model_ldiv(l, y);
  CHECK(d.quot == x / y && d.rem == x % y, "div");
  CHECK(e.quot == l / y && e.rem == l % y, "ldiv");
  CHECK(model_abs(x) == abs(x) && model_labs(l) == labs(l) && model_llabs(l) == llabs(l), "abs");
}

void check_heap(void) {
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

void check_ends(void) {
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
