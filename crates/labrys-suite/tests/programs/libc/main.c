/* main.c: the engine's primitives, random inputs, and the rounds of comparisons. */
#include "check.h"
#include <malloc.h>
#include <sys/mman.h>

int failures;

/* ---- The engine's primitives ---- */

enum { ARENA = 4096 };
static char *arenas[3];
int pretend;
char captured[3][1 << 16];
size_t captured_size[3];
jmp_buf ended;
const char *error_kind;

/* The living heap objects of the models; everything else is as large as can be. */
enum { MOST_BLOCKS = 1 << 12 };
static void *blocks[MOST_BLOCKS];
static int used_blocks; /* none behind these was ever noted */

static void *note_block(void *block) {
  int i;
  for (i = 0; i < MOST_BLOCKS; i++)
    if (blocks[i] == NULL) {
      blocks[i] = block;
      if (i >= used_blocks)
        used_blocks = i + 1;
      return block;
    }
  abort();
}

void *labrys_malloc(size_t size) { return note_block(malloc(size)); }
void *labrys_malloc_aligned(size_t alignment, size_t size) {
  void *block = NULL;
  return posix_memalign(&block, alignment, size) == 0 ? note_block(block) : NULL;
}
void labrys_free(void *ptr) {
  int i;
  for (i = 0; ptr != NULL && i < used_blocks; i++)
    if (blocks[i] == ptr) {
      blocks[i] = NULL;
      break;
    }
  free(ptr);
}
size_t labrys_object_size(const void *ptr) {
  int i;
  for (i = 0; i < 3; i++)
    if ((const char *)ptr >= arenas[i] && (const char *)ptr <= arenas[i] + ARENA)
      return (size_t)(arenas[i] + ARENA - (const char *)ptr);
  for (i = 0; i < used_blocks; i++)
    if (blocks[i] == ptr)
      return malloc_usable_size((void *)ptr);
  return SIZE_MAX;
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
int labrys_format_long_double(char *to, size_t size, const char *spec, const void *value) {
  return snprintf(to, size, spec, *(const long double *)value);
}
int labrys_parse_float(const char *text, size_t size, int format, void *to) {
  char *copy = strndup(text, size);
  errno = 0;
  if (format == 32)
    *(float *)to = strtof(copy, NULL);
  else if (format == 64)
    *(double *)to = strtod(copy, NULL);
  else
    *(long double *)to = strtold(copy, NULL);
  free(copy);
  return errno;
}
int labrys_is_uninit(unsigned long long value) {
  (void)value;
  return 0;
}
int labrys_wide_property(unsigned c, int what) {
  static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
  return what == 32   ? (int)towlower(c)
         : what == 33 ? (int)towupper(c)
         : what == 34 ? wcwidth((wchar_t)c)
                      : iswctype(c, wctype(classes[what])) != 0;
}
long labrys_assumed(long value, const char *text) {
  (void)text;
  return value;
}
int labrys_is_assumed(unsigned long long value) {
  (void)value;
  return 0;
}
unsigned long long labrys_plain(unsigned long long value) { return value; }
void labrys_handle_faults(unsigned long signals, void (*function)(int)) {
  (void)signals, (void)function;
}
void labrys_limit(const void *ptr, size_t size, const char *flag) { (void)ptr, (void)size, (void)flag; }
unsigned long long labrys_pin(unsigned long long value) { return value; }
void labrys_exit(int status) { longjmp(ended, status + 1); }
void labrys_error(const char *kind) {
  error_kind = kind;
  longjmp(ended, 1000);
}

/* ---- Random inputs ---- */

static uint64_t state = 88172645463325252u;
uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
size_t below(size_t n) { return (size_t)(any() % n); }

static void make_arenas(void) {
  int i;
  for (i = 0; i < 3; i++) {
    arenas[i] = mmap(NULL, 2 * ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(arenas[i] + ARENA, ARENA, PROT_NONE);
  }
}

char *text(int arena, size_t size, const char *alphabet) {
  size_t letters = strlen(alphabet), i;
  char *start = arenas[arena] + ARENA - size - 1;
  for (i = 0; i < size; i++)
    start[i] = alphabet[below(letters)];
  start[size] = 0;
  return start;
}

char *copy_of(int arena, const char *string) {
  return strcpy(arenas[arena] + ARENA - strlen(string) - 1, string);
}

int sign(int value) { return (value > 0) - (value < 0); }

const char *const few = "abAB\xe9";

#define CALL(name) name();

int main(void) {
  int round;
  make_arenas();
  clearenv(); /* as a replay has it */
  EACH_ONCE(CALL)
  for (round = 0; round < 20000; round++) {
    pretend = round & 1;
    EACH_ROUND(CALL)
    if (round % 20 == 0) {
      EACH_SELDOM(CALL)
    }
  }
  if (failures == 0)
    puts("all models agree");
  return failures != 0;
}
