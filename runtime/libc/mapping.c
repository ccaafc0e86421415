/* mapping.c: memory that is mapped: without a file, or as a copy of one. */
#include "files.h"

#define FAILED ((void *)-1)

enum { PROT_WRITE = 2, MAP_SHARED = 1, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, PAGE = 4096 };

WEAK void *mmap(void *wish, size_t size, int protection, int flags, int descriptor, long offset) {
  size_t room;
  char *bytes;
  (void)wish;
  size = (size_t)labrys_pin(size);
  if (size == 0 || offset < 0 || offset % PAGE != 0) {
    labrys_fail(EINVAL);
    return FAILED;
  }
  if ((flags & MAP_FIXED) != 0)
    labrys_unsupported("mmap at a fixed address");
  room = (size + PAGE - 1) / PAGE * PAGE;
  if ((flags & MAP_ANONYMOUS) == 0) {
    struct Open *open = labrys_opened(descriptor);
    size_t there, from = (size_t)labrys_pin((unsigned long long)offset);
    if (open == NULL)
      return FAILED;
    if ((open->flags & O_ACCMODE) == O_WRONLY) {
      labrys_fail(EACCES);
      return FAILED;
    }
    if ((flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0)
      labrys_unsupported("a writable shared mapping of a file");
    labrys_decide(open->file);
    labrys_end_seen(open->file);
    there = from < open->file->size ? open->file->size - from : 0;
    if (there > room)
      there = room;
    bytes = labrys_malloc_aligned(PAGE, room);
    memset(bytes, 0, room);
    if (there > 0)
      memcpy(bytes, open->file->bytes + from, there);
    return bytes;
  }
  bytes = labrys_malloc_aligned(PAGE, room);
  memset(bytes, 0, room);
  return bytes;
}

WEAK void *mmap64(void *wish, size_t size, int protection, int flags, int descriptor,
                  long offset) {
  return mmap(wish, size, protection, flags, descriptor, offset);
}

/* Only a mapping as a whole is given back. */
WEAK int munmap(void *start, size_t size) {
  if (labrys_object_size(start) == (size + PAGE - 1) / PAGE * PAGE)
    labrys_free(start);
  return 0;
}

WEAK int mprotect(void *start, size_t size, int protection) {
  (void)start, (void)size, (void)protection;
  return 0;
}

WEAK int msync(void *start, size_t size, int flags) {
  (void)start, (void)size, (void)flags;
  return 0;
}

WEAK int madvise(void *start, size_t size, int advice) {
  (void)start, (void)size, (void)advice;
  return 0;
}

WEAK int posix_madvise(void *start, size_t size, int advice) {
  return madvise(start, size, advice);
}

WEAK int mlock(const void *start, size_t size) {
  (void)start, (void)size;
  return 0;
}

WEAK int munlock(const void *start, size_t size) { return mlock(start, size); }
