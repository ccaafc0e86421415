/* format.c: the formatter behind the printf family. Text that leaves the program is made from
 * the current values and costs no path; text that goes into a buffer of the program is exact. */
#include "engine.h"

struct Spec {
  int left, plus, space, alternate, zero; /* the flags - + (blank) # 0 */
  int width, precision;                   /* precision: -1 if not given */
  enum { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_DOUBLE } size;
  char conversion;
};

enum { STAGE = 64 };

/* For a stream, to is null: bytes are collected in a stage and written in pieces. */
struct Writer {
  struct Sink *sink;
  char stage[STAGE];
  size_t staged;
};

static void flush(struct Writer *writer) {
  if (writer->staged > 0)
    labrys_put(writer->sink->stream, writer->stage, writer->staged);
  writer->staged = 0;
}

static int leaves(const struct Writer *writer) {
  return writer->sink->stream != NULL && labrys_shows(writer->sink->stream);
}

static void put(struct Writer *writer, char c) {
  struct Sink *sink = writer->sink;
  if (sink->stream != NULL) {
    if (writer->staged == STAGE)
      flush(writer);
    writer->stage[writer->staged++] = c;
  } else if (sink->size + 1 < sink->room) {
    sink->to[sink->size] = c;
  }
  sink->size++;
}

static void pad(struct Writer *writer, char c, int count) {
  for (; count > 0; count--)
    put(writer, c);
}

/* A value as it is shown: as it is now where it leaves the program. */
static unsigned long long shown(const struct Writer *writer, unsigned long long value) {
  return leaves(writer) && labrys_is_symbolic(value) ? labrys_current(value) : value;
}

static void put_text(struct Writer *writer, const struct Spec *spec, const char *text,
                     size_t size) {
  int padding = size < (size_t)spec->width ? spec->width - (int)size : 0;
  size_t i;
  if (!spec->left)
    pad(writer, ' ', padding);
  for (i = 0; i < size; i++)
    put(writer, (char)shown(writer, (unsigned char)text[i]));
  if (spec->left)
    pad(writer, ' ', padding);
}

static void put_string(struct Writer *writer, const struct Spec *spec, const char *text) {
  size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision, size = 0;
  if (text == NULL)
    text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  while (size < most && shown(writer, (unsigned char)text[size]) != 0)
    size++;
  put_text(writer, spec, text, size);
}

/* Digits of a number with its sign or prefix, precision and padding. */
static void put_number(struct Writer *writer, const struct Spec *spec, unsigned long long value,
                       unsigned base, const char *prefix, const char *letters) {
  char digits[64];
  int count = 0, zeros, padding, prefix_size = (int)strlen(prefix);
  while (value != 0) {
    digits[count++] = letters[value % base];
    value /= base;
  }
  zeros = (spec->precision < 0 ? 1 : spec->precision) - count;
  if (base == 8 && spec->alternate && zeros <= 0)
    zeros = 1;
  if (zeros < 0)
    zeros = 0;
  padding = spec->width - prefix_size - zeros - count;
  if (spec->zero && !spec->left && spec->precision < 0 && padding > 0) {
    zeros += padding;
    padding = 0;
  }
  if (!spec->left)
    pad(writer, ' ', padding);
  for (; *prefix != 0; prefix++)
    put(writer, *prefix);
  pad(writer, '0', zeros);
  while (count > 0)
    put(writer, digits[--count]);
  if (spec->left)
    pad(writer, ' ', padding);
}

static void put_signed(struct Writer *writer, const struct Spec *spec, long long value) {
  unsigned long long magnitude;
  value = (long long)shown(writer, (unsigned long long)value);
  magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  put_number(writer, spec, magnitude, 10,
             value < 0 ? "-" : spec->plus ? "+" : spec->space ? " " : "", "0123456789");
}

static void put_unsigned(struct Writer *writer, const struct Spec *spec,
                         unsigned long long value) {
  int is_upper = spec->conversion == 'X';
  value = shown(writer, value);
  switch (spec->conversion) {
  case 'o':
    put_number(writer, spec, value, 8, "", "01234567");
    break;
  case 'x':
  case 'X':
    put_number(writer, spec, value, 16,
               spec->alternate && value != 0 ? (is_upper ? "0X" : "0x") : "",
               is_upper ? "0123456789ABCDEF" : "0123456789abcdef");
    break;
  default:
    put_number(writer, spec, value, 10, "", "0123456789");
  }
}

static void put_pointer(struct Writer *writer, const struct Spec *spec, const void *pointer) {
  struct Spec hex = *spec;
  unsigned long long value = shown(writer, (uintptr_t)pointer);
  if (value == 0) {
    put_text(writer, spec, "(nil)", 5);
    return;
  }
  put_number(writer, &hex, value, 16, spec->plus ? "+0x" : spec->space ? " 0x" : "0x",
             "0123456789abcdef");
}

static char *put_spec_number(char *to, int number) {
  char digits[12];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0)
    *to++ = digits[--count];
  return to;
}

/* The engine formats doubles: shortest digits and correct rounding are its business. */
static void put_double(struct Writer *writer, const struct Spec *spec, double value) {
  char text[STAGE * 8], form[40], *to = form;
  int size, i;
  union {
    double number;
    unsigned long long bits;
  } both;
  both.number = value;
  both.bits = shown(writer, both.bits);
  *to++ = '%';
  if (spec->left)
    *to++ = '-';
  if (spec->plus)
    *to++ = '+';
  if (spec->space)
    *to++ = ' ';
  if (spec->alternate)
    *to++ = '#';
  if (spec->zero)
    *to++ = '0';
  if (spec->width > 0)
    to = put_spec_number(to, spec->width);
  if (spec->precision >= 0) {
    *to++ = '.';
    to = put_spec_number(to, spec->precision);
  }
  *to++ = spec->conversion;
  *to = 0;
  size = labrys_format_double(text, sizeof text, form, both.number);
  if (size >= (int)sizeof text) {
    char *whole = labrys_malloc((size_t)size + 1);
    labrys_format_double(whole, (size_t)size + 1, form, both.number);
    for (i = 0; i < size; i++)
      put(writer, whole[i]);
    labrys_free(whole);
    return;
  }
  for (i = 0; i < size; i++)
    put(writer, text[i]);
}

static long long next_signed(const struct Spec *spec, va_list *arguments) {
  switch (spec->size) {
  case SIZE_CHAR:
    return (signed char)va_arg(*arguments, int);
  case SIZE_SHORT:
    return (short)va_arg(*arguments, int);
  case SIZE_INT:
    return va_arg(*arguments, int);
  default:
    return va_arg(*arguments, long long);
  }
}

static unsigned long long next_unsigned(const struct Spec *spec, va_list *arguments) {
  switch (spec->size) {
  case SIZE_CHAR:
    return (unsigned char)va_arg(*arguments, unsigned);
  case SIZE_SHORT:
    return (unsigned short)va_arg(*arguments, unsigned);
  case SIZE_INT:
    return va_arg(*arguments, unsigned);
  default:
    return va_arg(*arguments, unsigned long long);
  }
}

static void store_count(const struct Spec *spec, size_t count, va_list *arguments) {
  void *place = va_arg(*arguments, void *);
  switch (spec->size) {
  case SIZE_CHAR:
    *(signed char *)place = (signed char)count;
    break;
  case SIZE_SHORT:
    *(short *)place = (short)count;
    break;
  case SIZE_INT:
    *(int *)place = (int)count;
    break;
  default:
    *(long *)place = (long)count;
  }
}

static const char *read_number(const char *at, int *number, va_list *arguments) {
  *number = 0;
  if (*at == '*') {
    *number = va_arg(*arguments, int);
    return at + 1;
  }
  while ((unsigned)*at - '0' < 10)
    *number = *number * 10 + (*at++ - '0');
  return at;
}

static const char *read_spec(const char *at, struct Spec *spec, va_list *arguments) {
  struct Spec empty = {0, 0, 0, 0, 0, 0, -1, SIZE_INT, 0};
  *spec = empty;
  for (;; at++) {
    if (*at == '-')
      spec->left = 1;
    else if (*at == '+')
      spec->plus = 1;
    else if (*at == ' ')
      spec->space = 1;
    else if (*at == '#')
      spec->alternate = 1;
    else if (*at == '0')
      spec->zero = 1;
    else
      break;
  }
  at = read_number(at, &spec->width, arguments);
  if (spec->width < 0) {
    spec->left = 1;
    spec->width = -spec->width;
  }
  if (*at == '.') {
    at = read_number(at + 1, &spec->precision, arguments);
    if (spec->precision < 0)
      spec->precision = -1;
  }
  for (;; at++) {
    if (*at == 'h')
      spec->size = spec->size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT;
    else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'q')
      spec->size = SIZE_LONG;
    else if (*at == 'L')
      spec->size = SIZE_LONG_DOUBLE;
    else
      break;
  }
  spec->conversion = *at;
  return *at != 0 ? at + 1 : at;
}

static void convert(struct Writer *writer, const struct Spec *spec, va_list *arguments) {
  char c;
  switch (spec->conversion) {
  case 'd':
  case 'i':
    put_signed(writer, spec, next_signed(spec, arguments));
    break;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    put_unsigned(writer, spec, next_unsigned(spec, arguments));
    break;
  case 'c':
    c = (char)va_arg(*arguments, int);
    put_text(writer, spec, &c, 1);
    break;
  case 's':
    put_string(writer, spec, va_arg(*arguments, const char *));
    break;
  case 'p':
    put_pointer(writer, spec, va_arg(*arguments, const void *));
    break;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    if (spec->size == SIZE_LONG_DOUBLE)
      put_double(writer, spec, (double)va_arg(*arguments, long double));
    else
      put_double(writer, spec, va_arg(*arguments, double));
    break;
  case 'n':
    store_count(spec, writer->sink->size, arguments);
    break;
  case '%':
    put(writer, '%');
    break;
  case 0:
    break;
  default:
    put(writer, '%');
    put(writer, spec->conversion);
  }
}

void labrys_format(struct Sink *sink, const char *format, va_list arguments) {
  struct Writer writer;
  va_list rest;
  writer.sink = sink;
  writer.staged = 0;
  va_copy(rest, arguments);
  while (*format != 0) {
    if (*format == '%') {
      struct Spec spec;
      format = read_spec(format + 1, &spec, &rest);
      convert(&writer, &spec, &rest);
    } else {
      put(&writer, *format++);
    }
  }
  va_end(rest);
  flush(&writer);
  if (sink->stream == NULL && sink->room > 0)
    sink->to[sink->size < sink->room ? sink->size : sink->room - 1] = 0;
}
