/* posix.c: files by descriptor and by path, as POSIX has them, on the files of files.c. The
 * program is root, so that permissions never stand in its way; so it is in the native replay. */
#include "files.h"

#define PLAIN_FILE(file) (((file)->mode & S_IFMT) == S_IFREG)
#define DIRECTORY(file) (((file)->mode & S_IFMT) == S_IFDIR)

static unsigned creation_mask = 022;
static int has_own_mask; /* the program has set it */

/* ---- Opening ---- */

static int open_at(int directory, const char *path, int flags, unsigned mode) {
  struct Place place;
  struct File *file;
  int descriptor, writes = (flags & O_ACCMODE) != O_RDONLY;
  int follows = (flags & O_NOFOLLOW) == 0 && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
  if ((flags & O_TMPFILE) == O_TMPFILE)
    labrys_unsupported("open with O_TMPFILE");
  if (labrys_find(directory, path,
                  (follows ? LABRYS_FOLLOWS : 0) | ((flags & O_CREAT) != 0 ? LABRYS_CREATES : 0),
                  &place) != 0)
    return -1;
  file = place.file;
  if (file != NULL) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0)
      return labrys_fail(EEXIST);
    if ((file->mode & S_IFMT) == S_IFLNK && (flags & O_PATH) == 0)
      return labrys_fail(ELOOP);
    if (DIRECTORY(file) && (writes || (flags & O_CREAT) != 0))
      return labrys_fail(EISDIR);
    if (!DIRECTORY(file) && (flags & O_DIRECTORY) != 0)
      return labrys_fail(ENOTDIR);
  } else {
    if ((flags & O_CREAT) == 0)
      return labrys_fail(ENOENT);
    if (place.directory == NULL)
      return labrys_fail(EISDIR);
    file = labrys_new_file(S_IFREG | (mode & 07777 & ~creation_mask));
    labrys_link(place.directory, place.name, file);
  }
  descriptor = labrys_descriptor(labrys_open_file(file, flags & ~(O_CREAT | O_EXCL | O_TRUNC)), 0);
  if (descriptor >= 0 && (flags & O_TRUNC) != 0 && writes && PLAIN_FILE(file))
    labrys_resize(file, 0);
  return descriptor;
}

static unsigned mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, unsigned)
                                                                    : 0;
}

#define OPEN(name)                                                                             \
  WEAK int name(const char *path, int flags, ...) {                                            \
    va_list arguments;                                                                         \
    unsigned mode;                                                                             \
    va_start(arguments, flags);                                                                \
    mode = mode_of(flags, arguments);                                                          \
    va_end(arguments);                                                                         \
    return open_at(AT_FDCWD, path, flags, mode);                                               \
  }
OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPENAT(name)                                                                           \
  WEAK int name(int directory, const char *path, int flags, ...) {                             \
    va_list arguments;                                                                         \
    unsigned mode;                                                                             \
    va_start(arguments, flags);                                                                \
    mode = mode_of(flags, arguments);                                                          \
    va_end(arguments);                                                                         \
    return open_at(directory, path, flags, mode);                                              \
  }
OPENAT(openat)
OPENAT(openat64)

WEAK int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }

WEAK int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }

WEAK int __openat_2(int directory, const char *path, int flags) {
  return open_at(directory, path, flags, 0);
}

WEAK int __openat64_2(int directory, const char *path, int flags) {
  return open_at(directory, path, flags, 0);
}

WEAK int creat(const char *path, unsigned mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

WEAK int creat64(const char *path, unsigned mode) { return creat(path, mode); }

WEAK int close(int descriptor) { return labrys_close(descriptor); }

WEAK int __close(int descriptor) { return labrys_close(descriptor); }

WEAK void closefrom(int first) {
  int descriptor;
  for (descriptor = first < 0 ? 0 : first; descriptor < LABRYS_DESCRIPTORS; descriptor++)
    labrys_close(descriptor);
}

WEAK int close_range(unsigned first, unsigned last, int flags) {
  unsigned descriptor;
  int before = *__errno_location();
  if (first > last || flags != 0)
    return labrys_fail(EINVAL);
  for (descriptor = first; descriptor <= last && descriptor < LABRYS_DESCRIPTORS; descriptor++)
    labrys_close((int)descriptor);
  *__errno_location() = before;
  return 0;
}

/* ---- Reading, writing, moving ---- */

WEAK long read(int descriptor, void *to, size_t count) {
  struct Open *open = labrys_opened(descriptor);
  long size = open == NULL ? -1 : labrys_read(open, to, count);
  if (size >= 0 && (size_t)size < count)
    labrys_end_seen(open->file);
  return size;
}

WEAK long __read(int descriptor, void *to, size_t count) { return read(descriptor, to, count); }

WEAK long __read_chk(int descriptor, void *to, size_t count, size_t room) {
  (void)room;
  return read(descriptor, to, count);
}

WEAK long write(int descriptor, const void *from, size_t count) {
  struct Open *open = labrys_opened(descriptor);
  labrys_exact();
  return open == NULL ? -1 : labrys_write_file(open, from, count);
}

WEAK long __write(int descriptor, const void *from, size_t count) {
  return write(descriptor, from, count);
}

WEAK long pread(int descriptor, void *to, size_t count, long offset) {
  struct Open *open = labrys_opened(descriptor);
  long size;
  if (open == NULL)
    return -1;
  if (offset < 0)
    return labrys_fail(EINVAL);
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return labrys_fail(ESPIPE);
  size = labrys_read_at(open, to, count, (size_t)labrys_pin((unsigned long long)offset));
  if (size >= 0 && (size_t)size < count)
    labrys_end_seen(open->file);
  return size;
}

WEAK long pread64(int descriptor, void *to, size_t count, long offset) {
  return pread(descriptor, to, count, offset);
}

WEAK long pwrite(int descriptor, const void *from, size_t count, long offset) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL)
    return -1;
  if (offset < 0)
    return labrys_fail(EINVAL);
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return labrys_fail(ESPIPE);
  labrys_decide(open->file);
  return labrys_write_at(open, from, count,
                         (open->flags & O_APPEND) != 0
                             ? open->file->size
                             : (size_t)labrys_pin((unsigned long long)offset));
}

WEAK long pwrite64(int descriptor, const void *from, size_t count, long offset) {
  return pwrite(descriptor, from, count, offset);
}

struct iovec {
  void *base;
  size_t size;
};

WEAK long readv(int descriptor, const struct iovec *parts, int count) {
  long all = 0;
  int i;
  for (i = 0; i < count; i++) {
    long size = read(descriptor, parts[i].base, parts[i].size);
    if (size < 0)
      return all > 0 ? all : -1;
    all += size;
    if ((size_t)size < parts[i].size)
      break;
  }
  return all;
}

WEAK long writev(int descriptor, const struct iovec *parts, int count) {
  long all = 0;
  int i;
  for (i = 0; i < count; i++) {
    long size = write(descriptor, parts[i].base, parts[i].size);
    if (size < 0)
      return all > 0 ? all : -1;
    all += size;
  }
  return all;
}

/* Copies bytes from one open file to another, from a place or from its offset. */
static long copy(int from, long *from_place, int to, long *to_place, size_t count) {
  struct Open *source = labrys_opened(from), *target = labrys_opened(to);
  char *bytes;
  long size;
  if (source == NULL || target == NULL)
    return -1;
  count = (size_t)labrys_pin(count);
  labrys_decide(source->file);
  if (count > source->file->size)
    count = source->file->size;
  bytes = labrys_malloc(count + 1);
  size = from_place != NULL ? labrys_read_at(source, bytes, count, (size_t)*from_place)
                            : labrys_read(source, bytes, count);
  if (size > 0)
    size = to_place != NULL ? labrys_write_at(target, bytes, (size_t)size, (size_t)*to_place)
                            : labrys_write_file(target, bytes, (size_t)size);
  labrys_free(bytes);
  if (size > 0 && from_place != NULL)
    *from_place += size;
  if (size > 0 && to_place != NULL)
    *to_place += size;
  if (size == 0)
    labrys_end_seen(source->file);
  return size;
}

WEAK long copy_file_range(int from, long *from_place, int to, long *to_place, size_t count,
                          unsigned flags) {
  return flags != 0 ? labrys_fail(EINVAL) : copy(from, from_place, to, to_place, count);
}

WEAK long sendfile(int to, int from, long *place, size_t count) {
  return copy(from, place, to, NULL, count);
}

WEAK long sendfile64(int to, int from, long *place, size_t count) {
  return copy(from, place, to, NULL, count);
}

WEAK long lseek(int descriptor, long offset, int whence) {
  struct Open *open = labrys_opened(descriptor);
  return open == NULL ? -1 : labrys_seek(open, offset, whence);
}

WEAK long lseek64(int descriptor, long offset, int whence) {
  return lseek(descriptor, offset, whence);
}

WEAK int ftruncate(int descriptor, long size) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL)
    return -1;
  if (size < 0 || (open->flags & O_ACCMODE) == O_RDONLY || !PLAIN_FILE(open->file))
    return labrys_fail(EINVAL);
  if (open->file->captured)
    labrys_unsupported("truncating standard output");
  return labrys_resize(open->file, (size_t)labrys_pin((unsigned long long)size));
}

WEAK int ftruncate64(int descriptor, long size) { return ftruncate(descriptor, size); }

WEAK int truncate(const char *path, long size) {
  struct File *file = labrys_look_up(AT_FDCWD, path, 1);
  if (file == NULL)
    return -1;
  if (DIRECTORY(file))
    return labrys_fail(EISDIR);
  if (size < 0)
    return labrys_fail(EINVAL);
  return labrys_resize(file, (size_t)labrys_pin((unsigned long long)size));
}

WEAK int truncate64(const char *path, long size) { return truncate(path, size); }

/* ---- Descriptors ---- */

WEAK int dup(int descriptor) {
  struct Open *open = labrys_opened(descriptor);
  int other;
  if (open == NULL)
    return -1;
  other = labrys_descriptor(open, 0);
  if (other >= 0) {
    open->references++;
    labrys_set_close_on_exec(other, 0);
  }
  return other;
}

WEAK int dup3(int descriptor, int other, int flags) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL)
    return -1;
  other = (int)labrys_plain((unsigned)other);
  if ((int)labrys_plain((unsigned)descriptor) == other)
    return labrys_fail(EINVAL);
  if (other < 0 || other >= LABRYS_DESCRIPTORS)
    return labrys_fail(EBADF);
  open->references++;
  labrys_close(other);
  labrys_descriptor(open, other);
  labrys_set_close_on_exec(other, (flags & O_CLOEXEC) != 0);
  return other;
}

WEAK int dup2(int descriptor, int other) {
  int before = *__errno_location(), result;
  if ((int)labrys_plain((unsigned)descriptor) == (int)labrys_plain((unsigned)other))
    return labrys_opened(descriptor) == NULL ? -1 : other;
  result = dup3(descriptor, other, 0);
  if (result >= 0)
    *__errno_location() = before;
  return result;
}

WEAK int pipe2(int ends[2], int flags) {
  struct File *file = labrys_new_file(S_IFIFO | 0600);
  ends[0] = labrys_descriptor(labrys_open_file(file, O_RDONLY | flags), 0);
  if (ends[0] < 0)
    return -1;
  ends[1] = labrys_descriptor(labrys_open_file(file, O_WRONLY | flags), 0);
  if (ends[1] < 0) {
    labrys_close(ends[0]);
    return labrys_fail(EMFILE);
  }
  file->readers = file->writers = 1;
  labrys_assumed_bytes(ends, 2 * sizeof *ends, "environment: descriptor numbers");
  return 0;
}

WEAK int pipe(int ends[2]) { return pipe2(ends, 0); }

enum { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW };

WEAK int fcntl(int descriptor, int command, ...) {
  struct Open *open = labrys_opened(descriptor);
  va_list arguments;
  long value;
  int other;
  va_start(arguments, command);
  value = va_arg(arguments, long);
  va_end(arguments);
  if (open == NULL)
    return -1;
  switch (command) {
  case F_DUPFD:
  case 1030: /* F_DUPFD_CLOEXEC */
    if ((int)value < 0 || (int)value >= LABRYS_DESCRIPTORS)
      return labrys_fail(EINVAL);
    other = labrys_descriptor(open, (int)value);
    if (other >= 0) {
      open->references++;
      labrys_set_close_on_exec(other, command != F_DUPFD);
    }
    return other;
  case F_GETFD:
    return !labrys_opens_on_exec((int)labrys_plain((unsigned)descriptor));
  case F_SETFD:
    labrys_set_close_on_exec(descriptor, (int)value & 1);
    return 0;
  case F_GETFL:
    return (open->flags & ~O_CLOEXEC) | 0100000;
  case F_SETFL:
    open->flags = (open->flags & ~(O_APPEND | 04000)) | ((int)value & (O_APPEND | 04000));
    return 0;
  case F_SETLK:
  case F_SETLKW:
    return 0;
  default:
    return labrys_fail(EINVAL);
  }
}

/* fcntl with its one argument handed on: what does not use it ignores it. */
#define FCNTL(name)                                                                            \
  WEAK int name(int descriptor, int command, ...) {                                            \
    va_list arguments;                                                                         \
    long value;                                                                                \
    va_start(arguments, command);                                                              \
    value = va_arg(arguments, long);                                                           \
    va_end(arguments);                                                                         \
    return fcntl(descriptor, command, value);                                                  \
  }
FCNTL(fcntl64)
FCNTL(__fcntl)

WEAK int ioctl(int descriptor, unsigned long request, ...) {
  (void)request;
  return labrys_opened(descriptor) == NULL ? -1 : labrys_fail(ENOTTY);
}

/* The standard streams are files; elsewhere they may be terminals. */
WEAK int isatty(int descriptor) {
  if (labrys_opened(descriptor) != NULL)
    labrys_fail(ENOTTY);
  return 0;
}

WEAK char *ttyname(int descriptor) {
  isatty(descriptor);
  return NULL;
}

WEAK int ttyname_r(int descriptor, char *to, size_t room) {
  (void)to, (void)room;
  return labrys_opened(descriptor) == NULL ? EBADF : ENOTTY;
}

static int check_descriptor(int descriptor) { return labrys_opened(descriptor) == NULL ? -1 : 0; }

WEAK int fsync(int descriptor) { return check_descriptor(descriptor); }

WEAK int fdatasync(int descriptor) { return check_descriptor(descriptor); }

WEAK void sync(void) {}

WEAK int syncfs(int descriptor) { return check_descriptor(descriptor); }

WEAK int flock(int descriptor, int operation) {
  (void)operation;
  return check_descriptor(descriptor);
}

WEAK int lockf(int descriptor, int command, long size) {
  (void)command, (void)size;
  return check_descriptor(descriptor);
}

WEAK int posix_fadvise(int descriptor, long offset, long size, int advice) {
  struct Open *open = labrys_opened(descriptor);
  (void)offset, (void)size;
  if (open == NULL)
    return EBADF;
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return ESPIPE;
  return advice < 0 || advice > 5 ? EINVAL : 0;
}

WEAK int posix_fadvise64(int descriptor, long offset, long size, int advice) {
  return posix_fadvise(descriptor, offset, size, advice);
}

WEAK int posix_fallocate(int descriptor, long offset, long size) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL || (open->flags & O_ACCMODE) == O_RDONLY)
    return EBADF;
  if (offset < 0 || size <= 0)
    return EINVAL;
  labrys_decide(open->file);
  if ((size_t)(offset + size) > open->file->size)
    labrys_resize(open->file, (size_t)labrys_pin((unsigned long long)(offset + size)));
  return 0;
}

unsigned labrys_creation_mask(void) { return creation_mask; }

/* Whoever starts a program decides with which mask. */
WEAK unsigned umask(unsigned mask) {
  unsigned before = creation_mask;
  if (!has_own_mask)
    before = (unsigned)labrys_assumed(before, "environment: file mode creation mask");
  has_own_mask = 1;
  creation_mask = mask & 0777;
  return before;
}

WEAK int getdtablesize(void) { return LABRYS_DESCRIPTORS; }
