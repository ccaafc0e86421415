/* faults.c: calls of the C library that fail because an input of the test says so. With
 * --faults-of-environment the annotated program calls these functions instead of the library's, and
 * the engine asks for the same inputs (crates/labrys-engine/src/program/fallible.rs). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "labrys.h"

static int asked(const char *name, const char *how, unsigned number) {
  char text[64];
  snprintf(text, sizeof text, "%s %s (call %u)", name, how, number);
  return labrys_bool(text);
}

/* A call that an input may let fail with this error number and this result. */
#define FAILS(name, error, result)                                                             \
  static unsigned calls;                                                                       \
  if (asked(name, "fails", ++calls)) {                                                         \
    errno = error;                                                                             \
    return result;                                                                             \
  }

/* ---- Memory ---- */

void *labrys_faulty_malloc(size_t size) {
  FAILS("malloc", ENOMEM, NULL)
  return malloc(size);
}

void *labrys_faulty_calloc(size_t count, size_t size) {
  FAILS("calloc", ENOMEM, NULL)
  return calloc(count, size);
}

void *labrys_faulty_realloc(void *block, size_t size) {
  FAILS("realloc", ENOMEM, NULL)
  return realloc(block, size);
}

char *labrys_faulty_strdup(const char *text) {
  FAILS("strdup", ENOMEM, NULL)
  return strdup(text);
}

char *labrys_faulty_strndup(const char *text, size_t most) {
  FAILS("strndup", ENOMEM, NULL)
  return strndup(text, most);
}

/* ---- Descriptors ---- */

int labrys_faulty_open(const char *path, int flags, ...) {
  va_list arguments;
  mode_t mode;
  FAILS("open", EACCES, -1)
  va_start(arguments, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

int labrys_faulty_close(int file) {
  FAILS("close", EINTR, -1)
  return close(file);
}

/* A part of the bytes is a single one. */
static size_t part_of(size_t size, const char *name, unsigned number) {
  return asked(name, "is short", number) && size > 1 ? 1 : size;
}

/* Both questions are asked before either is answered, as in the engine. */
#define PART(name, error)                                                                      \
  static unsigned calls;                                                                       \
  int fails = asked(name, "fails", ++calls);                                                   \
  size = part_of(size, name, calls);                                                           \
  if (fails) {                                                                                 \
    errno = error;                                                                             \
    return -1;                                                                                 \
  }

ssize_t labrys_faulty_read(int file, void *to, size_t size) {
  PART("read", EINTR)
  return read(file, to, size);
}

ssize_t labrys_faulty_write(int file, const void *from, size_t size) {
  PART("write", ENOSPC)
  return write(file, from, size);
}

/* ---- Streams ---- */

FILE *labrys_faulty_fopen(const char *path, const char *mode) {
  FAILS("fopen", EACCES, NULL)
  return fopen(path, mode);
}

int labrys_faulty_fclose(FILE *stream) {
  FAILS("fclose", ENOSPC, EOF)
  return fclose(stream);
}

int labrys_faulty_fflush(FILE *stream) {
  FAILS("fflush", ENOSPC, EOF)
  return fflush(stream);
}

size_t labrys_faulty_fwrite(const void *items, size_t size, size_t count, FILE *stream) {
  FAILS("fwrite", ENOSPC, 0)
  return fwrite(items, size, count, stream);
}

int labrys_faulty_fputs(const char *text, FILE *stream) {
  FAILS("fputs", ENOSPC, EOF)
  return fputs(text, stream);
}

int labrys_faulty_puts(const char *text) {
  FAILS("puts", ENOSPC, EOF)
  return puts(text);
}

int labrys_faulty_fputc(int c, FILE *stream) {
  FAILS("fputc", ENOSPC, EOF)
  return fputc(c, stream);
}

int labrys_faulty_putchar(int c) {
  FAILS("putchar", ENOSPC, EOF)
  return putchar(c);
}

int labrys_faulty_printf(const char *format, ...) {
  va_list arguments;
  int size;
  FAILS("printf", ENOSPC, -1)
  va_start(arguments, format);
  size = vprintf(format, arguments);
  va_end(arguments);
  return size;
}

int labrys_faulty_fprintf(FILE *stream, const char *format, ...) {
  va_list arguments;
  int size;
  FAILS("fprintf", ENOSPC, -1)
  va_start(arguments, format);
  size = vfprintf(stream, format, arguments);
  va_end(arguments);
  return size;
}
