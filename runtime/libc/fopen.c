/* fopen.c: opening, reopening and closing streams, on files, descriptors and memory. */
#include "stream.h"

int open(const char *path, int flags, ...);
int fcntl(int descriptor, int command, ...);
char *mkdtemp(char *pattern);

/* "r+e" and so on as flags of open; -1 if the mode is not one. */
static int flags_of(const char *mode) {
  int flags, plus = 0, exclusive = 0, on_exec = 0, i;
  for (i = 1; i < 7 && mode[i] != 0 && mode[i] != ','; i++) {
    plus |= mode[i] == '+';
    exclusive |= mode[i] == 'x';
    on_exec |= mode[i] == 'e';
  }
  switch (mode[0]) {
  case 'r':
    flags = O_RDONLY;
    break;
  case 'w':
    flags = O_WRONLY | O_CREAT | O_TRUNC;
    break;
  case 'a':
    flags = O_WRONLY | O_CREAT | O_APPEND;
    break;
  default:
    return labrys_fail(EINVAL);
  }
  if (plus)
    flags = (flags & ~O_ACCMODE) | O_RDWR;
  return flags | (exclusive ? O_EXCL : 0) | (on_exec ? O_CLOEXEC : 0);
}

static int stream_flags(int flags) {
  int access = flags & O_ACCMODE;
  return (access == O_RDONLY ? STREAM_NO_WRITES : access == O_WRONLY ? STREAM_NO_READS : 0) |
         ((flags & O_APPEND) != 0 ? STREAM_APPENDS : 0);
}

WEAK FILE *fopen(const char *restrict path, const char *restrict mode) {
  int flags = flags_of(mode), descriptor;
  if (flags < 0)
    return NULL;
  descriptor = open(path, flags, 0666);
  if (descriptor < 0)
    return NULL;
  /* As in glibc: what can only append begins at the end. */
  if ((flags & O_APPEND) != 0 && (flags & O_ACCMODE) == O_WRONLY) {
    struct Open *opened = labrys_opened(descriptor);
    labrys_decide(opened->file);
    opened->offset = opened->file->size;
  }
  return labrys_new_stream(descriptor, NULL, stream_flags(flags));
}

WEAK FILE *fopen64(const char *restrict path, const char *restrict mode) {
  return fopen(path, mode);
}

WEAK FILE *fdopen(int descriptor, const char *mode) {
  int flags = flags_of(mode), access;
  struct Open *open = labrys_opened(descriptor);
  if (flags < 0 || open == NULL)
    return NULL;
  access = open->flags & O_ACCMODE;
  if ((access == O_RDONLY && (flags & O_ACCMODE) != O_RDONLY) ||
      (access == O_WRONLY && (flags & O_ACCMODE) != O_WRONLY)) {
    labrys_fail(EINVAL);
    return NULL;
  }
  if ((flags & O_APPEND) != 0)
    open->flags |= O_APPEND;
  return labrys_new_stream(descriptor, NULL, stream_flags(flags));
}

/* ---- Closing ---- */

static void unchain(FILE *stream) {
  FILE **place = &labrys_streams;
  while (*place != NULL && *place != stream)
    place = &(*place)->_chain;
  if (*place != NULL)
    *place = stream->_chain;
}

static int close_file(FILE *stream) {
  int result = labrys_flush(stream);
  if (stream->open != NULL) {
    labrys_close_open(stream->open);
    stream->open = NULL;
    return result;
  }
  return labrys_close(stream->_fileno) != 0 ? END_OF_FILE : result;
}

WEAK int fclose(FILE *stream) {
  int result = close_file(stream);
  unchain(stream);
  if (stream->buffer != NULL)
    labrys_free(stream->buffer);
  stream->buffer = stream->_IO_buf_base = NULL;
  stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_read_base = NULL;
  stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_write_base = NULL;
  stream->_flags |= STREAM_NO_READS | STREAM_NO_WRITES;
  stream->_fileno = -1;
  if (!stream->is_static)
    labrys_free(stream);
  return result;
}

WEAK int fcloseall(void) {
  FILE *stream;
  int result = 0;
  for (stream = labrys_streams; stream != NULL; stream = stream->_chain)
    result |= labrys_flush(stream);
  return result;
}

WEAK int fflush(FILE *stream) {
  int result = 0;
  if (stream != NULL)
    return labrys_flush(stream);
  for (stream = labrys_streams; stream != NULL; stream = stream->_chain)
    if ((stream->_flags & STREAM_PUTTING) != 0)
      result |= labrys_flush(stream);
  return result;
}

WEAK int fflush_unlocked(FILE *stream) { return fflush(stream); }

WEAK FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  int flags = flags_of(mode), descriptor, before = stream->_fileno;
  struct Open *was;
  if (path == NULL)
    labrys_unsupported("freopen without a path");
  was = labrys_opened(before);
  labrys_flush(stream);
  descriptor = flags < 0 ? -1 : open(path, flags, 0666);
  if (descriptor < 0) {
    if (was != NULL)
      labrys_close(before);
    stream->_fileno = -1;
    stream->_flags |= STREAM_NO_READS | STREAM_NO_WRITES;
    return NULL;
  }
  /* The new file takes over the descriptor of the old one. */
  if (was != NULL && descriptor != before) {
    struct Open *opened = labrys_opened(descriptor);
    opened->references++;
    labrys_close(descriptor);
    labrys_close(before);
    labrys_descriptor(opened, before);
    descriptor = before;
  }
  stream->_fileno = descriptor;
  stream->_flags = STREAM_MAGIC | stream_flags(flags);
  if (stream->_IO_buf_base != NULL) {
    stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_read_base = stream->_IO_buf_base;
    stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_write_base = stream->_IO_buf_base;
  }
  return stream;
}

WEAK FILE *freopen64(const char *restrict path, const char *restrict mode,
                     FILE *restrict stream) {
  return freopen(path, mode, stream);
}

/* ---- Files without a name ---- */

WEAK FILE *tmpfile(void) {
  struct File *file = labrys_new_file(S_IFREG | 0600);
  int descriptor = labrys_descriptor(labrys_open_file(file, O_RDWR), 0);
  return descriptor < 0 ? NULL : labrys_new_stream(descriptor, NULL, 0);
}

WEAK FILE *tmpfile64(void) { return tmpfile(); }

WEAK FILE *open_memstream(char **place, size_t *size) {
  struct File *file = labrys_new_file(S_IFREG | 0600);
  FILE *stream =
      labrys_new_stream(-1, labrys_open_file(file, O_WRONLY), stream_flags(O_WRONLY));
  stream->place = place;
  stream->place_size = size;
  *place = NULL;
  *size = 0;
  return stream;
}

WEAK FILE *fmemopen(void *buffer, size_t size, const char *mode) {
  int flags = flags_of(mode);
  struct File *file;
  FILE *stream;
  if (flags < 0)
    return NULL;
  file = labrys_new_file(S_IFREG | 0600);
  stream = labrys_new_stream(-1, labrys_open_file(file, flags), stream_flags(flags));
  if (buffer != NULL) {
    size_t used = size;
    stream->user_buffer = (flags & O_ACCMODE) != O_RDONLY ? buffer : NULL;
    stream->user_size = size;
    if ((flags & O_TRUNC) != 0)
      used = 0;
    else if (mode[0] == 'a' || (flags & O_ACCMODE) == O_RDWR)
      for (used = 0; used < size && ((char *)buffer)[used] != 0; used++) {
      }
    labrys_resize(file, used);
    if (used > 0)
      memcpy(file->bytes, buffer, used);
    if ((flags & O_TRUNC) != 0 && size > 0)
      ((char *)buffer)[0] = 0;
  }
  return stream;
}

/* There is no shell in the program's world. */
WEAK FILE *popen(const char *command, const char *mode) {
  (void)command, (void)mode;
  labrys_fail(ENOENT);
  return NULL;
}

WEAK int pclose(FILE *stream) { return fclose(stream); }

/* ---- Buffers ---- */

WEAK int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)buffer, (void)size;
  if (mode < 0 || mode > 2)
    return -1;
  /* What standard output gets goes out at once in any case. */
  if (labrys_only_shows(stream))
    return 0;
  labrys_flush(stream);
  stream->_flags &= ~(STREAM_UNBUFFERED | STREAM_LINES);
  stream->_flags |= mode == 2 ? STREAM_UNBUFFERED : mode == 1 ? STREAM_LINES : 0;
  return 0;
}

WEAK void setbuf(FILE *restrict stream, char *restrict buffer) {
  setvbuf(stream, buffer, buffer == NULL ? 2 : 0, BUFFER);
}

WEAK void setbuffer(FILE *stream, char *buffer, size_t size) {
  setvbuf(stream, buffer, buffer == NULL ? 2 : 0, size);
}

WEAK void setlinebuf(FILE *stream) { setvbuf(stream, NULL, 1, 0); }
