/* ready.c: waiting for descriptors. Files are always ready; a pipe is ready to be read when it
 * has bytes or no writer. */
#include "files.h"

struct pollfd {
  int descriptor;
  short events, found;
};

enum { READABLE = 1, URGENT = 2, WRITABLE = 4, ERROR = 8, HUNG_UP = 16, INVALID = 32 };

static int found_for(int descriptor, int events) {
  struct Open *open = labrys_opened(descriptor);
  int ready = 0x45 | 0x100; /* in, out and their normal forms */
  if (open == NULL)
    return INVALID;
  if ((open->file->mode & S_IFMT) == S_IFIFO) {
    if ((open->flags & O_ACCMODE) == O_RDONLY)
      ready = (open->file->size > 0 ? READABLE | 0x40 : 0) |
              (open->file->writers == 0 ? HUNG_UP : 0);
    else
      ready = open->file->readers == 0 ? ERROR | WRITABLE | 0x100 : WRITABLE | 0x100;
  }
  return ready & (events | ERROR | HUNG_UP);
}

WEAK int poll(struct pollfd *list, unsigned long count, int timeout) {
  unsigned long i;
  int ready = 0, before = *__errno_location();
  for (i = 0; i < count; i++) {
    list[i].found =
        (short)(list[i].descriptor < 0 ? 0 : found_for(list[i].descriptor, list[i].events));
    ready += list[i].found != 0;
  }
  *__errno_location() = before;
  if (ready == 0 && timeout < 0)
    labrys_unsupported("waiting for a pipe that the program itself writes");
  return ready;
}

WEAK int __poll_chk(struct pollfd *list, unsigned long count, int timeout, size_t room) {
  (void)room;
  return poll(list, count, timeout);
}

WEAK int ppoll(struct pollfd *list, unsigned long count, const void *timeout, const void *mask) {
  (void)mask;
  return poll(list, count, timeout == NULL ? -1 : 0);
}

/* The descriptors of a set that are ready; -1 if one is not open. */
static int choose(int most, unsigned long *set, int events, int *ready) {
  int descriptor;
  for (descriptor = 0; set != NULL && descriptor < most; descriptor++) {
    unsigned long bit = 1ul << (descriptor % 64);
    int found;
    if ((set[descriptor / 64] & bit) == 0)
      continue;
    found = found_for(descriptor, events);
    if ((found & INVALID) != 0)
      return labrys_fail(EBADF);
    if ((found & (events | HUNG_UP | ERROR)) != 0 && events != URGENT)
      ++*ready;
    else
      set[descriptor / 64] &= ~bit;
  }
  return 0;
}

WEAK int select(int most, unsigned long *reads, unsigned long *writes, unsigned long *errors,
                void *timeout) {
  int ready = 0;
  if (most < 0 || most > 1024)
    return labrys_fail(EINVAL);
  if (choose(most, reads, READABLE, &ready) != 0 || choose(most, writes, WRITABLE, &ready) != 0 ||
      choose(most, errors, URGENT, &ready) != 0)
    return -1;
  if (ready == 0 && timeout == NULL)
    labrys_unsupported("waiting for a pipe that the program itself writes");
  return ready;
}

WEAK int pselect(int most, unsigned long *reads, unsigned long *writes, unsigned long *errors,
                 const void *timeout, const void *mask) {
  (void)mask;
  return select(most, reads, writes, errors, (void *)timeout);
}
