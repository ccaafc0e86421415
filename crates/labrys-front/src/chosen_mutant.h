/* What a program with all its mutants begins with where a build of its own compiles it: nothing else
 * need be linked. Each file has a copy. The active mutant is in LABRYS_MUTANT, as "point:alternative",
 * or two of these with a comma between them; the points that a run comes to are marked in the file that LABRYS_REACHED names, which processes and
 * libraries share. */
extern char *labrys_getenv(const char *) __asm__("getenv");
extern int labrys_open(const char *, int, ...) __asm__("open");
extern int labrys_close(int) __asm__("close");
extern void *labrys_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
extern int *labrys_errno(void) __asm__("__errno_location");
static volatile unsigned char *labrys_reached;
static unsigned labrys_active[2][2];
static volatile int labrys_is_ready;
static __attribute__((unused)) const char *labrys_number(const char *text, unsigned *number) {
  for (; *text >= '0' && *text <= '9'; text++)
    *number = *number * 10 + (unsigned)(*text - '0');
  return text + (*text == ':' || *text == ',');
}
static __attribute__((noinline, unused)) void labrys_get_ready(void) {
  int error = *labrys_errno();
  const char *text = labrys_getenv("LABRYS_MUTANT");
  const char *name = labrys_getenv("LABRYS_REACHED");
  unsigned change;
  for (change = 0; text && change < 2; change++) {
    text = labrys_number(text, &labrys_active[change][0]);
    text = labrys_number(text, &labrys_active[change][1]);
  }
  if (name) {
    int file = labrys_open(name, 2);
    if (file >= 0) {
      void *bytes = labrys_mmap((void *)0, LABRYS_POINTS, 3, 1, file, 0);
      if (bytes != (void *)-1)
        labrys_reached = bytes;
      labrys_close(file);
    }
  }
  labrys_is_ready = 1;
  *labrys_errno() = error;
}
static __attribute__((unused)) unsigned labrys_mutant(unsigned point) {
  if (!labrys_is_ready)
    labrys_get_ready();
  if (labrys_reached)
    labrys_reached[point] = 1;
  if (point == labrys_active[0][0])
    return labrys_active[0][1];
  return point == labrys_active[1][0] ? labrys_active[1][1] : 0;
}
#define LABRYS_CHOSEN(point) labrys_mutant(point)
#define LABRYS_VALUE(point, type) ((__typeof__(type))(
#define LABRYS_VALUE_END(point) ))
#define LABRYS_NEGATED(point) (+((
#define LABRYS_NEGATED_END(point) ) ? !labrys_mutant(point) : labrys_mutant(point)))
#define labrys_compiler_knows(value) (value)
#define labrys_truth(value) (value)
