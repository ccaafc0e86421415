/* scanf.c: the functions of the scanf family, on the scanner of scan.c. */
#include "scan.h"

static int scan_from(const char *text, FILE *stream, int is_old, const char *format,
                     va_list arguments) {
  struct Source source = {NULL, NULL, 0, 0, 0};
  struct Scan scan;
  int done;
  source.text = text;
  source.stream = stream;
  scan.source = &source;
  scan.is_old = is_old;
  va_copy(scan.first, arguments);
  va_copy(scan.rest, arguments);
  done = labrys_scan(&scan, format);
  va_end(scan.rest);
  va_end(scan.first);
  return done;
}

#define FAMILY(prefix, is_old)                                                                 \
  WEAK int prefix##vsscanf(const char *restrict text, const char *restrict format,             \
                           va_list arguments) {                                                \
    return scan_from(text, NULL, is_old, format, arguments);                                   \
  }                                                                                            \
  WEAK int prefix##vfscanf(FILE *restrict stream, const char *restrict format,                 \
                           va_list arguments) {                                                \
    return scan_from(NULL, stream, is_old, format, arguments);                                 \
  }                                                                                            \
  WEAK int prefix##vscanf(const char *restrict format, va_list arguments) {                    \
    return scan_from(NULL, stdin, is_old, format, arguments);                                  \
  }                                                                                            \
  WEAK int prefix##sscanf(const char *restrict text, const char *restrict format, ...) {       \
    va_list arguments;                                                                         \
    int done;                                                                                  \
    va_start(arguments, format);                                                               \
    done = scan_from(text, NULL, is_old, format, arguments);                                   \
    va_end(arguments);                                                                         \
    return done;                                                                               \
  }                                                                                            \
  WEAK int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...) {           \
    va_list arguments;                                                                         \
    int done;                                                                                  \
    va_start(arguments, format);                                                               \
    done = scan_from(NULL, stream, is_old, format, arguments);                                 \
    va_end(arguments);                                                                         \
    return done;                                                                               \
  }                                                                                            \
  WEAK int prefix##scanf(const char *restrict format, ...) {                                   \
    va_list arguments;                                                                         \
    int done;                                                                                  \
    va_start(arguments, format);                                                               \
    done = scan_from(NULL, stdin, is_old, format, arguments);                                  \
    va_end(arguments);                                                                         \
    return done;                                                                               \
  }
FAMILY(, 1)
FAMILY(__isoc99_, 0)
FAMILY(__isoc23_, 0)
