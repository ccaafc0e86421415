/* streams.c: the buffers of FILE streams. Reading fills a buffer of 4096 bytes, as glibc does,
 * with room before it for ungetc; writing to a file is buffered too. What is written to standard
 * output and error goes out at once, as in the native replay, and may be text that only shows
 * the current values. */
#include "stream.h"

static FILE labrys_standard_input = {._flags = STREAM_MAGIC | STREAM_NO_WRITES, .is_static = 1};
static FILE labrys_standard_output = {._flags = STREAM_MAGIC | STREAM_NO_READS | STREAM_UNBUFFERED,
                                      ._fileno = 1,
                                      ._chain = &labrys_standard_input,
                                      .is_static = 1};
static FILE labrys_standard_error = {._flags = STREAM_MAGIC | STREAM_NO_READS | STREAM_UNBUFFERED,
                                     ._fileno = 2,
                                     ._chain = &labrys_standard_output,
                                     .is_static = 1};

WEAK FILE *stdin = &labrys_standard_input;
WEAK FILE *stdout = &labrys_standard_output;
WEAK FILE *stderr = &labrys_standard_error;

FILE *labrys_streams = &labrys_standard_error;

FILE *labrys_new_stream(int descriptor, struct Open *open, int flags) {
  FILE *stream = labrys_malloc(sizeof *stream);
  memset(stream, 0, sizeof *stream);
  stream->_flags = STREAM_MAGIC | flags;
  stream->_fileno = descriptor;
  stream->open = open;
  stream->_chain = labrys_streams;
  labrys_streams = stream;
  return stream;
}

struct Open *labrys_stream_open(FILE *stream) {
  return stream->open != NULL ? stream->open : labrys_opened(stream->_fileno);
}

static int failed(FILE *stream) {
  stream->_flags |= STREAM_FAILED;
  return END_OF_FILE;
}

/* ---- Reading ---- */

static void make_buffer(FILE *stream) {
  if (stream->buffer == NULL) {
    stream->buffer = labrys_malloc(UNGET_ROOM + BUFFER);
    stream->_IO_buf_base = stream->buffer + UNGET_ROOM;
    stream->_IO_buf_end = stream->_IO_buf_base + BUFFER;
  }
}

static void set_reading(FILE *stream, size_t size) {
  stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_buf_base;
  stream->_IO_read_end = stream->_IO_buf_base + size;
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_buf_base;
}

int labrys_fill(FILE *stream) {
  struct Open *open;
  long size;
  /* Where the first attempt has failed instead, the next one may succeed. */
  if ((stream->_flags & STREAM_ENDED) != 0)
    return (int)labrys_assumed(END_OF_FILE, STREAM_ERRORS);
  if ((stream->_flags & STREAM_NO_READS) != 0) {
    labrys_fail(EBADF);
    return failed(stream);
  }
  if ((stream->_flags & STREAM_PUTTING) != 0 && labrys_flush(stream) != 0)
    return END_OF_FILE;
  open = labrys_stream_open(stream);
  if (open == NULL)
    return failed(stream);
  make_buffer(stream);
  set_reading(stream, 0);
  size = labrys_read(open, stream->_IO_buf_base,
                     (stream->_flags & STREAM_UNBUFFERED) != 0 ? 1 : BUFFER);
  if (size < 0)
    return failed(stream);
  if (size == 0) {
    labrys_end_seen(open->file);
    stream->_flags |= STREAM_ENDED;
    return END_OF_FILE;
  }
  stream->_IO_read_end += size;
  return 0;
}

/* ---- Writing ---- */

int labrys_start_writing(FILE *stream) {
  if ((stream->_flags & STREAM_NO_WRITES) != 0) {
    labrys_fail(EBADF);
    return failed(stream);
  }
  if ((stream->_flags & STREAM_PUTTING) != 0)
    return 0;
  if (stream->_IO_read_ptr != stream->_IO_read_end && labrys_flush(stream) != 0)
    return END_OF_FILE;
  stream->_flags |= STREAM_PUTTING;
  if ((stream->_flags & STREAM_UNBUFFERED) != 0)
    return 0;
  make_buffer(stream);
  stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_buf_base;
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_buf_base;
  stream->_IO_write_end =
      (stream->_flags & STREAM_LINES) != 0 ? stream->_IO_buf_base : stream->_IO_buf_end;
  return 0;
}

static void show_text(FILE *stream);

/* All of it, or an error. */
static int write_out(FILE *stream, const unsigned char *bytes, size_t size) {
  struct Open *open = labrys_stream_open(stream);
  if (open == NULL || labrys_write_file(open, bytes, size) < 0)
    return failed(stream);
  return 0;
}

int labrys_flush(FILE *stream) {
  size_t size = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base);
  size_t unread = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
  int result = 0;
  if ((stream->_flags & STREAM_PUTTING) != 0) {
    if (size > 0)
      result = write_out(stream, stream->_IO_write_base, size);
    stream->_flags &= ~STREAM_PUTTING;
    stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_write_base;
    show_text(stream);
  } else if (unread > 0) {
    struct Open *open = labrys_stream_open(stream);
    if (open == NULL)
      return failed(stream);
    /* What cannot seek keeps what it has read. */
    if ((open->file->mode & S_IFMT) == S_IFIFO)
      return 0;
    labrys_seek(open, -(long)unread, SEEK_CUR);
    stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_read_base;
  }
  return result;
}

/* open_memstream and fmemopen: the program sees what was written when it is flushed. */
static void show_text(FILE *stream) {
  struct File *file;
  if (stream->open == NULL)
    return;
  file = stream->open->file;
  if (stream->place != NULL) {
    char *text = malloc(file->size + 1);
    if (file->size > 0)
      memcpy(text, file->bytes, file->size);
    text[file->size] = 0;
    if (*stream->place != NULL)
      free(*stream->place);
    *stream->place = text;
    *stream->place_size = stream->open->offset;
  } else if (stream->user_buffer != NULL) {
    size_t size = file->size < stream->user_size ? file->size : stream->user_size;
    if (size > 0)
      memcpy(stream->user_buffer, file->bytes, size);
    if (size < stream->user_size)
      ((char *)stream->user_buffer)[size] = 0;
  }
}

size_t labrys_put_bytes(FILE *stream, const void *bytes, size_t size) {
  const unsigned char *from = bytes;
  size_t done = 0;
  if (labrys_start_writing(stream) != 0)
    return 0;
  if ((stream->_flags & STREAM_UNBUFFERED) != 0)
    return write_out(stream, from, size) == 0 ? size : 0;
  while (done < size) {
    size_t room = (size_t)(stream->_IO_buf_end - stream->_IO_write_ptr);
    size_t part = size - done < room ? size - done : room;
    if (room == 0) {
      if (write_out(stream, stream->_IO_write_base, BUFFER) != 0)
        return done;
      stream->_IO_write_ptr = stream->_IO_write_base;
      continue;
    }
    memcpy(stream->_IO_write_ptr, from + done, part);
    stream->_IO_write_ptr += part;
    done += part;
  }
  if ((stream->_flags & STREAM_LINES) != 0) {
    size_t i;
    for (i = 0; i < size; i++)
      if (from[i] == '\n') {
        labrys_flush(stream);
        break;
      }
  }
  return done;
}

int labrys_only_shows(FILE *stream) {
  struct Open *open = labrys_stream_open(stream);
  return open != NULL && open->file->captured;
}

void labrys_put(FILE *stream, const void *bytes, size_t size) {
  labrys_put_bytes(stream, bytes, size);
}

/* ---- Places ---- */

long labrys_tell(FILE *stream) {
  struct Open *open = labrys_stream_open(stream);
  long at;
  if (open == NULL)
    return -1;
  if ((stream->_flags & STREAM_PUTTING) != 0) {
    long pending = stream->_IO_write_ptr - stream->_IO_write_base;
    at = labrys_seek(open, 0, (open->flags & O_APPEND) != 0 ? SEEK_END : SEEK_CUR);
    return at < 0 ? -1 : at + pending;
  }
  at = labrys_seek(open, 0, SEEK_CUR);
  return at < 0 ? -1 : at - (stream->_IO_read_end - stream->_IO_read_ptr);
}

int labrys_seek_stream(FILE *stream, long offset, int whence) {
  struct Open *open = labrys_stream_open(stream);
  if (open == NULL)
    return -1;
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
    return labrys_fail(EINVAL);
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return labrys_fail(ESPIPE);
  if (labrys_flush(stream) != 0)
    return -1;
  if (stream->user_buffer != NULL && whence == SEEK_END)
    labrys_decide(open->file);
  if (labrys_seek(open, offset, whence) < 0)
    return -1;
  if (stream->_IO_buf_base != NULL)
    set_reading(stream, 0);
  stream->_flags &= ~STREAM_ENDED;
  return 0;
}
