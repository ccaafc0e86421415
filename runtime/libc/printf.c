/* printf.c: the functions of the printf family: where formatted text goes. */
#include "stream.h"

char *strerror(int number);

extern FILE *stdout, *stderr;

WEAK int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct Sink sink = {NULL, 0, 0, stream};
  labrys_exact();
  labrys_format(&sink, format, arguments);
  return (int)sink.size;
}

WEAK int vsnprintf(char *restrict to, size_t room, const char *restrict format,
                   va_list arguments) {
  struct Sink sink = {NULL, 0, 0, NULL};
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

WEAK void perror(const char *text) {
  const char *message = strerror(*__errno_location());
  if (text != NULL && *text != 0)
    fprintf(stderr, "%s: %s\n", text, message);
  else
    fprintf(stderr, "%s\n", message);
}
