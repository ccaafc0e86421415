/* In front of the functions that call the subjects: random inputs and layouts, and calls that
 * survive a fault. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf t_back;
static uint64_t t_random = 88172645463325252u;
static const int *t_letters;
static int t_count = 1;

static void t_fault(int number) {
  (void)number;
  siglongjmp(t_back, 1);
}

#define TRY(call)                  \
  do {                             \
    if (sigsetjmp(t_back, 0) == 0) \
      (void)(call);                \
  } while (0)

static unsigned t_next(void) {
  t_random ^= t_random << 13;
  t_random ^= t_random >> 7;
  t_random ^= t_random << 17;
  return (unsigned)(t_random >> 16);
}
static int t_below(int limit) { return (int)(t_next() % (unsigned)limit); }

static void t_use(const int *letters, size_t count) {
  t_letters = letters;
  t_count = (int)count;
}

/* A number that the subject compares with, one beside it, or any byte. */
static int t_number(void) {
  switch (t_below(4)) {
  case 0: return t_below(256);
  case 1: return t_letters[t_below(t_count)] + t_below(3) - 1;
  default: return t_letters[t_below(t_count)];
  }
}

static int64_t t_wide(void) {
  uint64_t any = ((uint64_t)t_next() << 32) ^ t_next();
  switch (t_below(6)) {
  case 0: return (int64_t)any;
  case 1: return (int64_t)(any >> t_below(64));
  case 2: return (int64_t)1 << t_below(64);
  default: return t_number();
  }
}

static unsigned char t_arena[16];
static int t_words[16];
static unsigned char t_far[1 << 16];
static char t_text[2][16];

static void t_fill(void) {
  for (int k = 0; k < 16; k++) {
    t_arena[k] = (unsigned char)t_number();
    t_words[k] = t_number();
  }
}
/* Often NULL, often pointers that overlap; eight elements behind each. */
static unsigned char *t_bytes(void) { return t_below(10) == 0 ? 0 : t_arena + t_below(4); }
static int *t_ints(void) { return t_below(10) == 0 ? 0 : t_words + t_below(4); }

static char *t_string(void) {
  char *text = t_text[t_below(2)];
  int length = t_below(7);
  for (int k = 0; k < length; k++)
    text[k] = t_below(4) ? (char)('a' + t_below(3)) : (char)(t_number() | 1);
  text[length] = 0;
  return text;
}

/* The library as it may be: every call can fail. */
static void *t_malloc(size_t size) { return t_below(4) ? calloc(1, size) : 0; }
static void *t_calloc(size_t count, size_t size) { return t_below(4) ? calloc(count, size) : 0; }
static ssize_t t_read(int file, void *bytes, size_t size) {
  (void)file;
  int got = t_below((int)size + 2) - 1;
  for (int k = 0; k < got; k++) ((unsigned char *)bytes)[k] = (unsigned char)t_number();
  return got;
}
static ssize_t t_write(int file, const void *bytes, size_t size) {
  (void)file, (void)bytes;
  return t_below((int)size + 2) - 1;
}
static int t_open(const char *path, int flags, ...) {
  (void)path, (void)flags;
  return t_below(3) ? 3 + t_below(20) : -1;
}
static int t_close(int file) {
  (void)file;
  if (t_below(2)) return 0;
  errno = t_below(2) ? EBADF : EIO;
  return -1;
}
static char *t_getenv(const char *name) {
  (void)name;
  return t_below(2) ? t_string() : 0;
}
static time_t t_time(time_t *into) {
  time_t now = t_below(1 << 20);
  if (into) *into = now;
  return now;
}
static pid_t t_getpid(void) { return 1 + t_below(1 << 20); }
static int t_rand(void) { return (int)(t_next() & 0x7fffffff); }
static int t_pipe(int *ends) {
  if (t_below(3) == 0) return -1;
  ends[0] = 3 + t_below(5);
  ends[1] = ends[0] + 1;
  return 0;
}
static int t_isatty(int file) {
  (void)file;
  return t_below(2);
}
