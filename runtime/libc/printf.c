/* printf.c: the functions of the printf family, on the formatter of format.c. */
#include "stream.h"

WEAK int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct Sink sink = {NULL, 0, 0, NULL};
  sink.stream = stream;
  labrys_exact();
  if (labrys_start_writing(stream) != 0)
    return -1;
  return labrys_format(&sink, format, arguments);
}

WEAK int vsnprintf(char *restrict to, size_t room, const char *restrict format,
                   va_list arguments) {
  struct Sink sink = {NULL, 0, 0, NULL};
  sink.to = to;
  sink.room = room;
  return labrys_format(&sink, format, arguments);
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
  if (size >= 0) {
    *place = malloc((size_t)size + 1);
    vsnprintf(*place, (size_t)size + 1, format, again);
  }
  va_end(again);
  return size;
}

/* The forms that _FORTIFY_SOURCE makes: object is the size of the destination. */
WEAK int __vsprintf_chk(char *to, int flag, size_t object, const char *format,
                        va_list arguments) {
  int size;
  (void)flag;
  if (object == 0)
    labrys_error("abort");
  size = vsnprintf(to, object, format, arguments);
  if (size >= 0 && (size_t)size >= object)
    labrys_error("abort");
  return size;
}

WEAK int __vsnprintf_chk(char *to, size_t room, int flag, size_t object, const char *format,
                         va_list arguments) {
  (void)flag;
  if (object < room)
    labrys_error("abort");
  return vsnprintf(to, room, format, arguments);
}

WEAK int __vprintf_chk(int flag, const char *format, va_list arguments) {
  (void)flag;
  return vprintf(format, arguments);
}

WEAK int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vfprintf(stream, format, arguments);
}

WEAK int __vasprintf_chk(char **place, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vasprintf(place, format, arguments);
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
VARIADIC(__printf_chk, (int flag, const char *format, ...), format,
         __vprintf_chk(flag, format, arguments))
VARIADIC(__fprintf_chk, (FILE *stream, int flag, const char *format, ...), format,
         __vfprintf_chk(stream, flag, format, arguments))
VARIADIC(__sprintf_chk, (char *to, int flag, size_t object, const char *format, ...), format,
         __vsprintf_chk(to, flag, object, format, arguments))
VARIADIC(__snprintf_chk,
         (char *to, size_t room, int flag, size_t object, const char *format, ...), format,
         __vsnprintf_chk(to, room, flag, object, format, arguments))
VARIADIC(__asprintf_chk, (char **place, int flag, const char *format, ...), format,
         __vasprintf_chk(place, flag, format, arguments))

WEAK void perror(const char *text) {
  const char *message = strerror(*__errno_location());
  if (text != NULL && *text != 0)
    fprintf(stderr, "%s: %s\n", text, message);
  else
    fprintf(stderr, "%s\n", message);
}
