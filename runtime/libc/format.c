/* format.c: the formatter behind the printf family: reads the format, takes the arguments, also
 * by position. Text for standard output and error is only shown: its bytes are made from the
 * current values and cost no path. Text for anything that can be read again is exact. What the
 * functions return, and %n stores, is exact for both. */
#include "format.h"

enum { MOST_POSITIONS = 64, EILSEQ = 84, EOVERFLOW = 75 };

union Value {
  unsigned long long integer;
  double number;
  long double long_number;
};

enum Type { TYPE_NONE, TYPE_INT, TYPE_LONG, TYPE_DOUBLE, TYPE_LONG_DOUBLE };

/* Where arguments come from: one after the other, or from the table if there are positions. */
struct Arguments {
  va_list rest;
  int is_positional;
  union Value *table;
};

/* ---- Arguments ---- */

static void take(va_list *rest, enum Type type, union Value *value) {
  switch (type) {
  case TYPE_LONG:
    value->integer = va_arg(*rest, unsigned long long);
    break;
  case TYPE_DOUBLE:
    value->number = va_arg(*rest, double);
    break;
  case TYPE_LONG_DOUBLE:
    value->long_number = va_arg(*rest, long double);
    break;
  default:
    value->integer = (unsigned long long)va_arg(*rest, int);
  }
}

/* The next argument, or the one at a position that the format names. */
static void argument(struct Arguments *arguments, int position, enum Type type,
                     union Value *value) {
  if (arguments->is_positional)
    *value = arguments->table[position > 0 ? position - 1 : 0];
  else
    take(&arguments->rest, type, value);
}

static int int_argument(struct Arguments *arguments, int position) {
  union Value value;
  argument(arguments, position, TYPE_INT, &value);
  return (int)value.integer;
}

static enum Type type_of(const struct Spec *spec) {
  switch (spec->conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    return spec->size == SIZE_LONG || spec->size == SIZE_LONG_DOUBLE ? TYPE_LONG : TYPE_INT;
  case 'c':
  case 'C':
    return TYPE_INT;
  case 's':
  case 'S':
  case 'p':
  case 'n':
    return TYPE_LONG;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return spec->size == SIZE_LONG_DOUBLE ? TYPE_LONG_DOUBLE : TYPE_DOUBLE;
  default:
    return TYPE_NONE;
  }
}

/* ---- Reading a specification ---- */

/* One as it stands in the format: width and precision may be arguments. */
struct Raw {
  struct Spec spec;
  int position;                            /* 0 for the next argument */
  int width_position, precision_position;  /* the same, -1 if it is no argument */
  int is_wrong;                            /* a number that is too large */
};

static const char *read_number(const char *at, int *number, int *is_wrong) {
  long value = 0;
  while ((unsigned)*at - '0' < 10) {
    value = value * 10 + (*at++ - '0');
    if (value > INT_MAX) {
      *is_wrong = 1;
      value = INT_MAX;
    }
  }
  *number = (int)value;
  return at;
}

/* "12$" */
static const char *read_position(const char *at, int *position) {
  const char *end;
  int number, is_wrong = 0;
  if ((unsigned)*at - '1' >= 9)
    return at;
  end = read_number(at, &number, &is_wrong);
  if (*end != '$')
    return at;
  *position = number;
  return end + 1;
}

/* A width or a precision: a number, or an argument. */
static const char *read_amount(const char *at, int *number, int *position, int *is_wrong) {
  if (*at == '*') {
    *position = 0;
    return read_position(at + 1, position);
  }
  return read_number(at, number, is_wrong);
}

static const char *read_flags(const char *at, struct Spec *spec) {
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
    else if (*at == '\'') {
      spec->group = 1; /* the C locale has no groups */
      labrys_rest_on_locale();
    } else if (*at != 'I')
      return at;
  }
}

static const char *read_raw(const char *at, struct Raw *raw) {
  static const struct Raw empty = {{0, 0, 0, 0, 0, 0, 0, -1, SIZE_INT, 0}, 0, -1, -1, 0};
  struct Spec *spec = &raw->spec;
  *raw = empty;
  at = read_position(at, &raw->position);
  at = read_flags(at, spec);
  at = read_amount(at, &spec->width, &raw->width_position, &raw->is_wrong);
  if (*at == '.') {
    spec->precision = 0;
    at = read_amount(at + 1, &spec->precision, &raw->precision_position, &raw->is_wrong);
  }
  for (;; at++) {
    if (*at == 'h')
      spec->size = spec->size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT;
    else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'Z')
      spec->size = SIZE_LONG;
    else if (*at == 'L' || *at == 'q')
      spec->size = SIZE_LONG_DOUBLE;
    else
      break;
  }
  spec->conversion = *at;
  return *at != 0 ? at + 1 : at;
}

/* Takes width and precision from the arguments. */
static void complete(struct Raw *raw, struct Arguments *arguments) {
  struct Spec *spec = &raw->spec;
  if (raw->width_position >= 0) {
    spec->width = int_argument(arguments, raw->width_position);
    if (spec->width < 0) {
      spec->left = 1;
      spec->width = spec->width == INT_MIN ? INT_MAX : -spec->width;
    }
  }
  if (raw->precision_position >= 0) {
    spec->precision = int_argument(arguments, raw->precision_position);
    if (spec->precision < 0)
      spec->precision = -1;
  }
  /* A size that is an expression stays far away from overflow. */
  if (spec->width > 4096)
    spec->width = (int)labrys_pin((unsigned)spec->width);
  if (spec->precision > 4096)
    spec->precision = (int)labrys_pin((unsigned)spec->precision);
  raw->is_wrong |= spec->width == INT_MAX;
}

/* If the format has positions, all arguments are taken into the table first. False if there are
 * more than the table holds. */
static int take_table(const char *format, struct Arguments *arguments) {
  enum Type types[MOST_POSITIONS] = {TYPE_NONE};
  int last = 0, i;
  while (*format != 0) {
    struct Raw raw;
    int place[3];
    enum Type type[3] = {TYPE_NONE, TYPE_INT, TYPE_INT};
    if (*format++ != '%')
      continue;
    format = read_raw(format, &raw);
    place[0] = raw.position;
    place[1] = raw.width_position;
    place[2] = raw.precision_position;
    type[0] = type_of(&raw.spec);
    for (i = 0; i < 3; i++) {
      if (place[i] <= 0)
        continue;
      if (place[i] > MOST_POSITIONS)
        return 0;
      arguments->is_positional = 1;
      types[place[i] - 1] = type[i];
      last = place[i] > last ? place[i] : last;
    }
  }
  for (i = 0; i < last; i++)
    take(&arguments->rest, types[i], &arguments->table[i]);
  return 1;
}

/* ---- Conversions ---- */

static size_t size_of_text(const struct Writer *writer) {
  size_t size = writer->sink->size;
  return writer->local_points > 0 ? (size_t)labrys_local((long)size) : size;
}

/* Where decimal points have more bytes, the end lies as many bytes further on: it is at most one
 * more for each in the locales that there are. */
static void end_text(const struct Writer *writer) {
  const struct Sink *sink = writer->sink;
  size_t end = sink->size < sink->room ? sink->size : sink->room - 1;
  int i;
  sink->to[end] = 0;
  if (writer->local_points == 0)
    return;
  sink->to[end] = (char)labrys_local(0);
  for (i = 0; i < writer->local_points && ++end < sink->room; i++)
    if (labrys_object_size(sink->to + end) == 0)
      return;
    else if (!labrys_is_uninit((unsigned char)sink->to[end]))
      sink->to[end] = (char)labrys_local(sink->to[end]);
}

static void store_count(const struct Spec *spec, size_t count, void *place) {
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

static long long as_signed(const struct Spec *spec, unsigned long long value) {
  switch (spec->size) {
  case SIZE_CHAR:
    return (signed char)value;
  case SIZE_SHORT:
    return (short)value;
  case SIZE_INT:
    return (int)value;
  default:
    return (long long)value;
  }
}

static unsigned long long as_unsigned(const struct Spec *spec, unsigned long long value) {
  switch (spec->size) {
  case SIZE_CHAR:
    return (unsigned char)value;
  case SIZE_SHORT:
    return (unsigned short)value;
  case SIZE_INT:
    return (unsigned)value;
  default:
    return value;
  }
}

/* A wide string becomes a multibyte string of at most precision bytes, whole characters only.
 * False if there is a character that has none. */
static int put_wide(struct Writer *writer, const struct Spec *spec, const wchar_t *text) {
  size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)labrys_pin((unsigned)spec->precision);
  size_t size = 0, room = 64;
  char *bytes = labrys_malloc(room);
  if (text == NULL) {
    labrys_free(bytes);
    labrys_put_string(writer, spec, NULL);
    return 1;
  }
  for (; size < most && *text != 0; text++) {
    char one[8];
    size_t used = labrys_wide_to_bytes(one, *text);
    if (used == (size_t)-1) {
      labrys_free(bytes);
      return 0;
    }
    if (used > most - size)
      break;
    if (size + used > room) {
      char *more = labrys_malloc(room * 2);
      __builtin_memcpy(more, bytes, size);
      labrys_free(bytes);
      bytes = more;
      room *= 2;
    }
    __builtin_memcpy(bytes + size, one, used);
    size += used;
  }
  labrys_put_text(writer, spec, bytes, size);
  labrys_free(bytes);
  return 1;
}

static int put_wide_char(struct Writer *writer, const struct Spec *spec, wchar_t c) {
  char one[8];
  size_t used = labrys_wide_to_bytes(one, c);
  if (used == (size_t)-1)
    return 0;
  labrys_put_text(writer, spec, one, used);
  return 1;
}

/* The text of an error number, or with # its name. */
static void put_error(struct Writer *writer, const struct Spec *spec, int number) {
  const char *name;
  if (!spec->alternate) {
    labrys_put_string(writer, spec, strerror(number));
    return;
  }
  name = strerrorname_np(number);
  if (name != NULL)
    labrys_put_string(writer, spec, name);
  else
    labrys_put_signed(writer, spec, number);
}

/* What glibc does with a conversion that it does not know: shows it. */
static void put_unknown(struct Writer *writer, const struct Spec *spec) {
  char text[48], *to = text;
  static const struct Spec plain = {0, 0, 0, 0, 0, 0, 0, -1, SIZE_INT, 's'};
  *to++ = '%';
  if (spec->alternate)
    *to++ = '#';
  if (spec->group)
    *to++ = '\'';
  if (spec->plus)
    *to++ = '+';
  else if (spec->space)
    *to++ = ' ';
  if (spec->left)
    *to++ = '-';
  if (spec->zero && !spec->left)
    *to++ = '0';
  if (spec->width != 0)
    to = labrys_decimal(to, (unsigned)labrys_pin((unsigned)spec->width));
  if (spec->precision >= 0) {
    *to++ = '.';
    to = labrys_decimal(to, (unsigned)labrys_pin((unsigned)spec->precision));
  }
  *to++ = spec->conversion;
  labrys_put_text(writer, &plain, text, (size_t)(to - text));
}

/* The error number, 0 if all is well. */
static int convert(struct Writer *writer, struct Raw *raw, struct Arguments *arguments) {
  struct Spec *spec = &raw->spec;
  enum Type type = type_of(spec);
  union Value value = {0};
  char c;
  if (type != TYPE_NONE)
    argument(arguments, raw->position, type, &value);
  switch (spec->conversion) {
  case 'd':
  case 'i':
    labrys_put_signed(writer, spec, as_signed(spec, value.integer));
    break;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    labrys_put_unsigned(writer, spec, as_unsigned(spec, value.integer));
    break;
  case 'c':
    if (spec->size == SIZE_LONG)
      return put_wide_char(writer, spec, (wchar_t)value.integer) ? 0 : EILSEQ;
    c = (char)value.integer;
    labrys_put_text(writer, spec, &c, 1);
    break;
  case 'C':
    return put_wide_char(writer, spec, (wchar_t)value.integer) ? 0 : EILSEQ;
  case 's':
    if (spec->size == SIZE_LONG)
      return put_wide(writer, spec, (const wchar_t *)(uintptr_t)value.integer) ? 0 : EILSEQ;
    labrys_put_string(writer, spec, (const char *)(uintptr_t)value.integer);
    break;
  case 'S':
    return put_wide(writer, spec, (const wchar_t *)(uintptr_t)value.integer) ? 0 : EILSEQ;
  case 'm':
    put_error(writer, spec, *__errno_location());
    break;
  case 'p':
    labrys_put_pointer(writer, spec, (const void *)(uintptr_t)value.integer);
    break;
  case 'n':
    store_count(spec, size_of_text(writer), (void *)(uintptr_t)value.integer);
    break;
  case '%':
    labrys_put_char(writer, '%');
    break;
  case 0:
    return EINVAL;
  default:
    if (type == TYPE_LONG_DOUBLE)
      labrys_put_long_double(writer, spec, value.long_number);
    else if (type == TYPE_DOUBLE)
      labrys_put_double(writer, spec, value.number);
    else
      put_unknown(writer, spec);
  }
  return 0;
}

/* Everything up to the end of the format or to an error, whose number is returned. */
static int put_format(struct Writer *writer, const char *format, struct Arguments *arguments) {
  while (*format != 0) {
    struct Raw raw;
    int error;
    if (*format != '%') {
      labrys_put_char(writer, *format++);
      continue;
    }
    format = read_raw(format + 1, &raw);
    complete(&raw, arguments);
    if (raw.is_wrong)
      return EOVERFLOW;
    error = convert(writer, &raw, arguments);
    if (error != 0)
      return error;
  }
  return 0;
}

int labrys_format(struct Sink *sink, const char *format, va_list values) {
  union Value table[MOST_POSITIONS];
  struct Arguments arguments;
  struct Writer writer;
  int error;
  writer.sink = sink;
  writer.staged = 0;
  writer.local_points = 0;
  /* Nothing that the program can read again comes from standard output or error. */
  writer.shown = sink->stream != NULL && labrys_only_shows(sink->stream);
  arguments.is_positional = 0;
  arguments.table = table;
  va_copy(arguments.rest, values);
  error = take_table(format, &arguments) ? put_format(&writer, format, &arguments) : EINVAL;
  va_end(arguments.rest);
  labrys_put_flush(&writer);
  if (sink->stream == NULL && sink->room > 0)
    end_text(&writer);
  if (error == 0 && !labrys_is_symbolic(sink->size) && sink->size > INT_MAX)
    error = EOVERFLOW;
  if (error == 0)
    return (int)size_of_text(&writer);
  *__errno_location() = error;
  return -1;
}
