/* stdio.c: reading and writing streams by bytes, lines and formats. */
#include "stream.h"

void *realloc(void *ptr, size_t size);

/* ---- Bytes in ---- */

WEAK int fgetc(FILE *stream) {
  if (stream->_IO_read_ptr >= stream->_IO_read_end && labrys_fill(stream) != 0)
    return END_OF_FILE;
  return *stream->_IO_read_ptr++;
}

WEAK int getc(FILE *stream) { return fgetc(stream); }

WEAK int _IO_getc(FILE *stream) { return fgetc(stream); }

WEAK int getchar(void) { return fgetc(stdin); }

WEAK int fgetc_unlocked(FILE *stream) { return fgetc(stream); }

WEAK int getc_unlocked(FILE *stream) { return fgetc(stream); }

WEAK int getchar_unlocked(void) { return fgetc(stdin); }

/* What the macros of glibc call when the buffer is empty. */
WEAK int __uflow(FILE *stream) { return fgetc(stream); }

WEAK int __underflow(FILE *stream) {
  if (stream->_IO_read_ptr >= stream->_IO_read_end && labrys_fill(stream) != 0)
    return END_OF_FILE;
  return *stream->_IO_read_ptr;
}

WEAK int ungetc(int c, FILE *stream) {
  if (c == END_OF_FILE || (stream->_flags & STREAM_NO_READS) != 0)
    return END_OF_FILE;
  if ((stream->_flags & STREAM_PUTTING) != 0)
    labrys_flush(stream);
  if (stream->buffer == NULL) {
    stream->buffer = labrys_malloc(UNGET_ROOM + BUFFER);
    stream->_IO_buf_base = stream->buffer + UNGET_ROOM;
    stream->_IO_buf_end = stream->_IO_buf_base + BUFFER;
    stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_buf_base;
  }
  if (stream->_IO_read_ptr == stream->buffer)
    return END_OF_FILE;
  *--stream->_IO_read_ptr = (unsigned char)c;
  stream->_flags &= ~STREAM_ENDED;
  return (unsigned char)c;
}

WEAK size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  size_t wanted = size * count, done = 0;
  if (wanted == 0)
    return 0;
  while (done < wanted) {
    size_t there = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
    size_t part = there < wanted - done ? there : wanted - done;
    if (there == 0) {
      if (labrys_fill(stream) != 0)
        break;
      continue;
    }
    memcpy((char *)to + done, stream->_IO_read_ptr, part);
    stream->_IO_read_ptr += part;
    done += part;
  }
  return done == wanted ? count : done / size;
}

WEAK size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  return fread(to, size, count, stream);
}

WEAK size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count,
                        FILE *restrict stream) {
  (void)room;
  return fread(to, size, count, stream);
}

WEAK size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size, size_t count,
                                 FILE *restrict stream) {
  (void)room;
  return fread(to, size, count, stream);
}

WEAK int getw(FILE *stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : END_OF_FILE;
}

/* ---- Lines in ---- */

WEAK char *fgets(char *restrict to, int room, FILE *restrict stream) {
  int size = 0, before = stream->_flags & STREAM_FAILED;
  if (room <= 0)
    return NULL;
  stream->_flags &= ~STREAM_FAILED;
  while (size < room - 1) {
    int c = fgetc(stream);
    if (c == END_OF_FILE)
      break;
    to[size++] = (char)c;
    if (c == '\n')
      break;
  }
  if ((size == 0 && room > 1) || (stream->_flags & STREAM_FAILED) != 0) {
    stream->_flags |= before;
    return NULL;
  }
  stream->_flags |= before;
  to[size] = 0;
  return to;
}

WEAK char *fgets_unlocked(char *restrict to, int room, FILE *restrict stream) {
  return fgets(to, room, stream);
}

WEAK char *__fgets_chk(char *to, size_t object, int room, FILE *stream) {
  (void)object;
  return fgets(to, room, stream);
}

WEAK char *__fgets_unlocked_chk(char *to, size_t object, int room, FILE *stream) {
  (void)object;
  return fgets(to, room, stream);
}

WEAK char *gets(char *to) {
  size_t size = 0;
  int c = fgetc(stdin);
  if (c == END_OF_FILE)
    return NULL;
  for (; c != END_OF_FILE && c != '\n'; c = fgetc(stdin))
    to[size++] = (char)c;
  to[size] = 0;
  return to;
}

WEAK long getdelim(char **restrict line, size_t *restrict room, int delimiter,
                   FILE *restrict stream) {
  size_t size = 0;
  if (line == NULL || room == NULL)
    return labrys_fail(EINVAL);
  if ((stream->_flags & STREAM_FAILED) != 0)
    return -1;
  if (*line == NULL || *room == 0) {
    *room = 120;
    *line = realloc(*line, *room);
  }
  for (;;) {
    int c = fgetc(stream);
    if (c == END_OF_FILE)
      break;
    if (size + 2 > *room) {
      *room *= 2;
      *line = realloc(*line, *room);
    }
    (*line)[size++] = (char)c;
    if (c == (unsigned char)delimiter)
      break;
  }
  if (size == 0)
    return -1;
  (*line)[size] = 0;
  return (long)size;
}

WEAK long __getdelim(char **restrict line, size_t *restrict room, int delimiter,
                     FILE *restrict stream) {
  return getdelim(line, room, delimiter, stream);
}

WEAK long getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
  return getdelim(line, room, '\n', stream);
}

/* ---- Bytes and strings out ---- */

WEAK int fputc(int c, FILE *stream) {
  unsigned char byte = (unsigned char)c;
  labrys_exact();
  if ((stream->_flags & STREAM_PUTTING) != 0 && stream->_IO_write_ptr < stream->_IO_write_end) {
    *stream->_IO_write_ptr++ = byte;
    return byte;
  }
  return labrys_put_bytes(stream, &byte, 1) == 1 ? byte : END_OF_FILE;
}

WEAK int putc(int c, FILE *stream) { return fputc(c, stream); }

WEAK int _IO_putc(int c, FILE *stream) { return fputc(c, stream); }

WEAK int putchar(int c) { return fputc(c, stdout); }

WEAK int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }

WEAK int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }

WEAK int putchar_unlocked(int c) { return fputc(c, stdout); }

/* What the macros of glibc call when the buffer is full. */
WEAK int __overflow(FILE *stream, int c) { return fputc(c, stream); }

WEAK int putw(int word, FILE *stream) {
  return labrys_put_bytes(stream, &word, sizeof word) == sizeof word ? 0 : END_OF_FILE;
}

/* A string that leaves the program costs no path, whatever its length is. */
static int put_string(const char *text, FILE *stream) {
  size_t size;
  labrys_exact();
  if (labrys_only_shows(stream)) {
    if (labrys_start_writing(stream) != 0)
      return END_OF_FILE;
    labrys_write_text(labrys_stream_open(stream)->file->captured, text, SIZE_MAX);
    return 1;
  }
  size = strlen(text);
  return labrys_put_bytes(stream, text, size) == size ? 1 : END_OF_FILE;
}

WEAK int fputs(const char *restrict text, FILE *restrict stream) {
  return put_string(text, stream);
}

WEAK int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
  return put_string(text, stream);
}

WEAK int puts(const char *text) {
  if (put_string(text, stdout) == END_OF_FILE || fputc('\n', stdout) == END_OF_FILE)
    return END_OF_FILE;
  return (int)(labrys_length(text, SIZE_MAX) + 1);
}

WEAK size_t fwrite(const void *restrict items, size_t size, size_t count, FILE *restrict stream) {
  size_t wanted = size * count, done;
  if (wanted == 0)
    return 0;
  labrys_exact();
  done = labrys_put_bytes(stream, items, wanted);
  return done == wanted ? count : done / size;
}

WEAK size_t fwrite_unlocked(const void *restrict items, size_t size, size_t count,
                            FILE *restrict stream) {
  return fwrite(items, size, count, stream);
}

/* ---- State ---- */

/* What was read before a function was called; a whole program begins without. The engine knows it by
 * its name. */
static int labrys_end_seen_before;

WEAK int feof(FILE *stream) {
  if ((stream->_flags & STREAM_ENDED) != 0)
    return (int)labrys_assumed(1, STREAM_ERRORS);
  return stream->is_static && stream->buffer == NULL ? labrys_end_seen_before : 0;
}

WEAK int ferror(FILE *stream) { return (stream->_flags & STREAM_FAILED) != 0; }

WEAK void clearerr(FILE *stream) { stream->_flags &= ~(STREAM_ENDED | STREAM_FAILED); }

WEAK int feof_unlocked(FILE *stream) { return feof(stream); }

WEAK int ferror_unlocked(FILE *stream) { return ferror(stream); }

WEAK void clearerr_unlocked(FILE *stream) { clearerr(stream); }

WEAK int fileno(FILE *stream) {
  return stream->_fileno >= 0 ? stream->_fileno : labrys_fail(EBADF);
}

WEAK int fileno_unlocked(FILE *stream) { return fileno(stream); }

WEAK void flockfile(FILE *stream) { (void)stream; }

WEAK int ftrylockfile(FILE *stream) {
  (void)stream;
  return 0;
}

WEAK void funlockfile(FILE *stream) { (void)stream; }

/* ---- Places ---- */

struct Position { /* fpos_t of glibc */
  long offset;
  long state;
};

WEAK long ftell(FILE *stream) { return labrys_tell(stream); }

WEAK long ftello(FILE *stream) { return labrys_tell(stream); }

WEAK long ftello64(FILE *stream) { return labrys_tell(stream); }

WEAK int fseek(FILE *stream, long offset, int whence) {
  return labrys_seek_stream(stream, offset, whence);
}

WEAK int fseeko(FILE *stream, long offset, int whence) { return fseek(stream, offset, whence); }

WEAK int fseeko64(FILE *stream, long offset, int whence) { return fseek(stream, offset, whence); }

WEAK void rewind(FILE *stream) {
  fseek(stream, 0, SEEK_SET);
  clearerr(stream);
}

WEAK int fgetpos(FILE *restrict stream, struct Position *restrict position) {
  position->offset = ftell(stream);
  position->state = 0;
  return position->offset < 0 ? -1 : 0;
}

WEAK int fsetpos(FILE *stream, const struct Position *position) {
  return fseek(stream, position->offset, SEEK_SET);
}

WEAK int fgetpos64(FILE *restrict stream, struct Position *restrict position) {
  return fgetpos(stream, position);
}

WEAK int fsetpos64(FILE *stream, const struct Position *position) {
  return fsetpos(stream, position);
}

