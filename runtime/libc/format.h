/* format.h: what the two halves of the formatter share: format.c reads the format and takes the
 * arguments, format_value.c puts the values. */
#ifndef LABRYS_LIBC_FORMAT_H
#define LABRYS_LIBC_FORMAT_H

#include "engine.h"

struct Spec {
  int left, plus, space, alternate, zero, group; /* the flags - + (blank) # 0 ' */
  int width, precision;                          /* precision: -1 if not given */
  enum { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_DOUBLE } size;
  char conversion;
};

enum { STAGE = 64 };

/* Bytes for a stream are collected in a stage and written in pieces. */
struct Writer {
  struct Sink *sink;
  int shown; /* only the current text is needed, see format.c */
  char stage[STAGE];
  size_t staged;
  int local_points; /* what follows lies where it does because these have one byte */
};

void labrys_put_char(struct Writer *writer, char c);
void labrys_put_flush(struct Writer *writer);
void labrys_put_text(struct Writer *writer, const struct Spec *spec, const char *text,
                     size_t size);
void labrys_put_string(struct Writer *writer, const struct Spec *spec, const char *text);
void labrys_put_signed(struct Writer *writer, const struct Spec *spec, long long value);
void labrys_put_unsigned(struct Writer *writer, const struct Spec *spec,
                         unsigned long long value);
void labrys_put_pointer(struct Writer *writer, const struct Spec *spec, const void *pointer);
void labrys_put_double(struct Writer *writer, const struct Spec *spec, double value);
void labrys_put_long_double(struct Writer *writer, const struct Spec *spec, long double value);
char *labrys_decimal(char *to, unsigned number);

#endif
