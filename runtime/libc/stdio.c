/* stdio.c: standard output and error as captured output, and an empty standard input, as the
 * native replay gives it. */
#include "engine.h"

enum { END_OF_FILE = -1 };

static FILE input_stream = {0}, output_stream = {1}, error_stream = {2};

WEAK FILE *stdin = &input_stream;
WEAK FILE *stdout = &output_stream;
WEAK FILE *stderr = &error_stream;

void labrys_put(FILE *stream, const void *bytes, size_t size) {
  labrys_write(stream->descriptor, bytes, size);
}

int labrys_only_shows(FILE *stream) {
  return (stream->descriptor == 1) | (stream->descriptor == 2);
}

/* ---- Unformatted output ---- */

WEAK int fputc(int c, FILE *stream) {
  unsigned char byte = (unsigned char)c;
  labrys_write(stream->descriptor, &byte, 1);
  return byte;
}

WEAK int putc(int c, FILE *stream) { return fputc(c, stream); }

WEAK int putchar(int c) { return fputc(c, stdout); }

WEAK int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }

WEAK int putchar_unlocked(int c) { return fputc(c, stdout); }

/* Shows text whose length is an expression as it is now. */
static void show(FILE *stream, const char *text, size_t size) {
  labrys_write(stream->descriptor, text, (size_t)labrys_current(size));
}

WEAK int fputs(const char *restrict text, FILE *restrict stream) {
  show(stream, text, labrys_length(text, SIZE_MAX));
  return 1;
}

WEAK int puts(const char *text) {
  size_t size = labrys_length(text, SIZE_MAX);
  show(stdout, text, size);
  labrys_write(stdout->descriptor, "\n", 1);
  return (int)(size + 1);
}

WEAK size_t fwrite(const void *restrict items, size_t size, size_t count, FILE *restrict stream) {
  if (size == 0 || count == 0)
    return 0;
  labrys_write(stream->descriptor, items, size * count);
  return count;
}

WEAK int fflush(FILE *stream) {
  (void)stream;
  return 0;
}

WEAK void setbuf(FILE *restrict stream, char *restrict buffer) { (void)stream, (void)buffer; }

WEAK int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)stream, (void)buffer, (void)mode, (void)size;
  return 0;
}

WEAK int ferror(FILE *stream) {
  (void)stream;
  return 0;
}

WEAK int fileno(FILE *stream) { return stream->descriptor; }

/* ---- Input: there is none ---- */

static int input_ended;

static int nothing(FILE *stream) {
  (void)stream;
  input_ended = 1;
  return END_OF_FILE;
}

WEAK int fgetc(FILE *stream) { return nothing(stream); }

WEAK int getc(FILE *stream) { return nothing(stream); }

WEAK int getchar(void) { return nothing(stdin); }

WEAK int getchar_unlocked(void) { return nothing(stdin); }

WEAK char *fgets(char *restrict to, int size, FILE *restrict stream) {
  (void)to, (void)size;
  nothing(stream);
  return NULL;
}

WEAK size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  (void)to, (void)size, (void)count;
  nothing(stream);
  return 0;
}

WEAK int feof(FILE *stream) { return (stream == stdin) & input_ended; }
