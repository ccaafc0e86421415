/* stdio.c: standard output and error as captured output, formatting into strings, and an empty
 * standard input, as the native replay gives it. */
#include "engine.h"

enum { END_OF_FILE = -1 };

static FILE input_stream = {0}, output_stream = {1}, error_stream = {2};

WEAK FILE *stdin = &input_stream;
WEAK FILE *stdout = &output_stream;
WEAK FILE *stderr = &error_stream;

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

/* The length of text that leaves the program is the current one. */
static size_t current_size(const char *text) {
  size_t size = 0;
  while (labrys_current((unsigned char)text[size]) != 0)
    size++;
  return size;
}

WEAK int fputs(const char *restrict text, FILE *restrict stream) {
  labrys_write(stream->descriptor, text, current_size(text));
  return 1;
}

WEAK int puts(const char *text) {
  size_t size = current_size(text);
  labrys_write(stdout->descriptor, text, size);
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

/* ---- Formatted output ---- */

WEAK int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct Sink sink = {NULL, 0, 0, 0};
  sink.descriptor = stream->descriptor;
  labrys_format(&sink, format, arguments);
  return (int)sink.size;
}

WEAK int vsnprintf(char *restrict to, size_t room, const char *restrict format,
                   va_list arguments) {
  struct Sink sink = {NULL, 0, 0, -1};
  sink.to = to;
  sink.room = room;
  labrys_format(&sink, format, arguments);
  return (int)sink.size;
}

WEAK int vprintf(const char *restrict format, va_list arguments) {
  return vfprintf(stdout, format, arguments);
}

WEAK int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  return vsnprintf(to, SIZE_MAX, format, arguments);
}

WEAK int vasprintf(char **restrict place, const char *restrict format, va_list arguments) {
  va_list again;
  int size;
  va_copy(again, arguments);
  size = vsnprintf(NULL, 0, format, arguments);
  *place = malloc((size_t)size + 1);
  vsnprintf(*place, (size_t)size + 1, format, again);
  va_end(again);
  return size;
}

/* A function of "..." that calls the one that takes a va_list; parameters and values are given
 * in brackets. */
#define VARIADIC(name, parameters, last, call)                                                 \
  WEAK int name parameters {                                                                   \
    va_list arguments;                                                                         \
    int size;                                                                                  \
    va_start(arguments, last);                                                                 \
    size = call;                                                                               \
    va_end(arguments);                                                                         \
    return size;                                                                               \
  }

VARIADIC(printf, (const char *restrict format, ...), format, vprintf(format, arguments))
VARIADIC(fprintf, (FILE *restrict stream, const char *restrict format, ...), format,
         vfprintf(stream, format, arguments))
VARIADIC(sprintf, (char *restrict to, const char *restrict format, ...), format,
         vsprintf(to, format, arguments))
VARIADIC(snprintf, (char *restrict to, size_t room, const char *restrict format, ...), format,
         vsnprintf(to, room, format, arguments))
VARIADIC(asprintf, (char **restrict place, const char *restrict format, ...), format,
         vasprintf(place, format, arguments))

/* The forms that _FORTIFY_SOURCE makes. */
VARIADIC(__printf_chk, (int flag, const char *format, ...), format,
         ((void)flag, vprintf(format, arguments)))
VARIADIC(__fprintf_chk, (FILE *stream, int flag, const char *format, ...), format,
         ((void)flag, vfprintf(stream, format, arguments)))
VARIADIC(__sprintf_chk, (char *to, int flag, size_t object, const char *format, ...), format,
         ((void)flag, (void)object, vsprintf(to, format, arguments)))
VARIADIC(__snprintf_chk,
         (char *to, size_t room, int flag, size_t object, const char *format, ...), format,
         ((void)flag, (void)object, vsnprintf(to, room, format, arguments)))

WEAK int __vprintf_chk(int flag, const char *format, va_list arguments) {
  (void)flag;
  return vprintf(format, arguments);
}

WEAK int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vfprintf(stream, format, arguments);
}

WEAK int __vsprintf_chk(char *to, int flag, size_t object, const char *format,
                        va_list arguments) {
  (void)flag, (void)object;
  return vsprintf(to, format, arguments);
}

WEAK int __vsnprintf_chk(char *to, size_t room, int flag, size_t object, const char *format,
                         va_list arguments) {
  (void)flag, (void)object;
  return vsnprintf(to, room, format, arguments);
}

char *strerror(int number);

WEAK void perror(const char *text) {
  const char *message = strerror(*__errno_location());
  if (text != NULL && *text != 0)
    fprintf(stderr, "%s: %s\n", text, message);
  else
    fprintf(stderr, "%s\n", message);
}

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

WEAK int scanf(const char *restrict format, ...) {
  (void)format;
  return nothing(stdin);
}

WEAK int __isoc99_scanf(const char *restrict format, ...) {
  (void)format;
  return nothing(stdin);
}

WEAK int __isoc23_scanf(const char *restrict format, ...) {
  (void)format;
  return nothing(stdin);
}
