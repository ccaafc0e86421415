/* The world of a whole program as it may be, by the seed TORTURE_SEED: calls fail, signals come
 * from outside, standard input and the file "in" hold anything. The program, which follows, calls
 * t_read for read and so on. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;
static unsigned next(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 16);
}
static int below(int limit) { return (int)(next() % (unsigned)limit); }

static char mode[3]; /* a variable of the environment */

/* How often calls fail and signals come: seldom in some runs, never in others. */
static int failing, signalling;

static void fill(char *bytes, int size) {
  static const char letters[] = "aqx0\n\xff";
  for (int i = 0; i < size; i++) bytes[i] = letters[below(6)];
}

__attribute__((constructor)) static void begin(void) {
  const char *seed = getenv("TORTURE_SEED");
  char bytes[8];
  int ends[2], file, size;
  state += 2654435761u * (seed ? strtoul(seed, 0, 10) : 0);
  for (size = 0; size < 8; size++) next();
  failing = below(3), signalling = below(4) == 0;
  if (below(8) == 0) {
    close(0);
  } else if (pipe(ends) == 0) {
    size = below(6);
    fill(bytes, size);
    if (write(ends[1], bytes, (size_t)size) != size) abort();
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
  }
  fill(mode, 2);
  unlink("in");
  rmdir("d");
  if (below(3) && (file = open("in", O_CREAT | O_WRONLY, 0600)) >= 0) {
    size = below(6);
    fill(bytes, size);
    if (write(file, bytes, (size_t)size) != size) abort();
    close(file);
  }
  if (below(3) == 0) mkdir("d", 0700);
}

static int fails(void) {
  static const int errors[] = {EINTR, EIO, ENOSPC, ENOENT, EACCES, EMFILE, ENOMEM};
  static const int signals[] = {SIGUSR1, SIGUSR2, SIGINT, SIGALRM, SIGTERM};
  if (signalling && below(4) == 0) kill(getpid(), signals[below(5)]);
  if (failing == 0 || below(3 * failing) != 0) return 0;
  errno = errors[below(7)];
  return 1;
}

#define CALL(type, failure, name, parameters, call) \
  static type t_##name parameters { return fails() ? failure : (call); }

static size_t some(size_t size) { return size > 1 && below(3) == 0 ? 1 : size; }

CALL(ssize_t, -1, read, (int file, void *to, size_t size), read(file, to, some(size)))
CALL(ssize_t, -1, write, (int file, const void *from, size_t size), write(file, from, some(size)))
CALL(int, -1, open, (const char *path, int flags), open(path, flags))
CALL(int, -1, close, (int file), close(file))
CALL(int, -1, dup, (int file), dup(file))
CALL(int, -1, pipe, (int *ends), pipe(ends))
CALL(int, -1, mkdir, (const char *path, mode_t mode), mkdir(path, mode))
CALL(int, -1, rmdir, (const char *path), rmdir(path))
CALL(int, -1, unlink, (const char *path), unlink(path))
CALL(void *, 0, malloc, (size_t size), malloc(size))
CALL(void *, 0, realloc, (void *old, size_t size), realloc(old, size))
CALL(FILE *, 0, fopen, (const char *path, const char *mode), fopen(path, mode))
CALL(int, EOF, puts, (const char *text), puts(text))
CALL(int, EOF, fflush, (FILE *stream), fflush(stream))
CALL(time_t, -1, time, (time_t *into), time(into) + below(1000))
CALL(char *, 0, getenv, (const char *name), strcmp(name, "MODE") ? 0 : mode)
static int t_rand(void) { return (int)(next() & 0x7fffffff); }
