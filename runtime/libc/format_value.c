/* format_value.c: single values as text. For a sink that only shows text, the bytes are made
 * from the current values, but their number is exact for every input of the path: an expression
 * where the value is symbolic. For any other sink a path has one number of bytes, and the bytes
 * are exact. */
#include "format.h"

void labrys_put_flush(struct Writer *writer) {
  if (writer->staged > 0)
    labrys_put(writer->sink->stream, writer->stage, writer->staged);
  writer->staged = 0;
}

void labrys_put_char(struct Writer *writer, char c) {
  struct Sink *sink = writer->sink;
  if (writer->local_points > 0)
    c = (char)labrys_local(c);
  if (sink->stream != NULL) {
    if (writer->staged == STAGE)
      labrys_put_flush(writer);
    writer->stage[writer->staged++] = c;
  } else if (sink->size + 1 < sink->room) {
    sink->to[sink->size] = c;
  }
  sink->size++;
}

static void pad(struct Writer *writer, char c, int count) {
  for (; count > 0; count--)
    labrys_put_char(writer, c);
}

/* A value as it is shown. */
static unsigned long long shown(const struct Writer *writer, unsigned long long value) {
  return writer->shown && labrys_is_symbolic(value) ? labrys_current(value) : value;
}

/* The text of a value has been put, and size says how many bytes it was before that. Whatever
 * the text is now, it counts as exact bytes, but never as less than the width. */
static void count_exactly(struct Writer *writer, const struct Spec *spec, size_t size,
                          size_t exact) {
  if (!writer->shown)
    return;
  exact = (size_t)labrys_select(exact < (size_t)spec->width, (size_t)spec->width, exact);
  writer->sink->size = size + exact;
}

/* ---- Text ---- */

static void put_padded(struct Writer *writer, const struct Spec *spec, const char *text,
                       size_t size) {
  size_t width = (size_t)shown(writer, (unsigned long long)spec->width), i;
  int padding = size < width ? (int)(width - size) : 0;
  if (!spec->left)
    pad(writer, ' ', padding);
  for (i = 0; i < size; i++)
    labrys_put_char(writer, (char)shown(writer, (unsigned char)text[i]));
  if (spec->left)
    pad(writer, ' ', padding);
}

void labrys_put_text(struct Writer *writer, const struct Spec *spec, const char *text,
                     size_t size) {
  size_t before = writer->sink->size;
  put_padded(writer, spec, text, size);
  count_exactly(writer, spec, before, size);
}

void labrys_put_string(struct Writer *writer, const struct Spec *spec, const char *text) {
  size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)labrys_pin((unsigned)spec->precision);
  size_t before = writer->sink->size, size = 0, exact;
  if (text == NULL)
    text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  if (!writer->shown) {
    while (size < most && text[size] != 0)
      size++;
    put_padded(writer, spec, text, size);
    return;
  }
  exact = labrys_length(text, most);
  size = (size_t)shown(writer, exact);
  put_padded(writer, spec, text, size);
  count_exactly(writer, spec, before, exact);
}

/* ---- Integers ---- */

static const unsigned long long powers_of_ten[] = {
    1ull,
    10ull,
    100ull,
    1000ull,
    10000ull,
    100000ull,
    1000000ull,
    10000000ull,
    100000000ull,
    1000000000ull,
    10000000000ull,
    100000000000ull,
    1000000000000ull,
    10000000000000ull,
    100000000000000ull,
    1000000000000000ull,
    10000000000000000ull,
    100000000000000000ull,
    1000000000000000000ull,
    10000000000000000000ull,
};

struct Number {
  unsigned long long magnitude;
  unsigned base; /* 8, 10 or 16 */
  unsigned most; /* digits that any magnitude of its type has at most */
  int upper;     /* letters are capitals */
  const char *prefix;
};

/* Is there a digit with this number, counted from the last one, which is 0? */
static int has_digit(const struct Number *number, unsigned i) {
  if (number->base == 10)
    return number->magnitude >= powers_of_ten[i];
  return number->magnitude >> (i * (number->base == 8 ? 3 : 4)) != 0;
}

static char digit(const struct Number *number, unsigned i) {
  unsigned value;
  if (number->base == 8)
    return (char)('0' + (number->magnitude >> (i * 3) & 7));
  if (number->base == 16) {
    value = (unsigned)(number->magnitude >> (i * 4)) & 15;
    return (char)('0' + value + (value > 9) * (unsigned)((number->upper ? 'A' : 'a') - '9' - 1));
  }
  /* Dividing by a constant that fits 32 bits costs the solver a quarter. */
  if (number->most <= 10)
    return (char)('0' + (unsigned)number->magnitude / (unsigned)powers_of_ten[i] % 10);
  return (char)('0' + number->magnitude / powers_of_ten[i] % 10);
}

/* Digits with sign or prefix, precision and padding. */
static void put_digits(struct Writer *writer, const struct Spec *spec,
                       const struct Number *number) {
  int width = (int)shown(writer, (unsigned)spec->width);
  int precision = (int)shown(writer, (unsigned long long)spec->precision);
  int count = 0, zeros, padding;
  const char *prefix = number->prefix;
  while ((unsigned)count < number->most && has_digit(number, (unsigned)count))
    count++;
  zeros = (precision < 0 ? 1 : precision) - count;
  if (number->base == 8 && spec->alternate && zeros <= 0)
    zeros = 1;
  if (zeros < 0)
    zeros = 0;
  padding = width - (int)strlen(prefix) - zeros - count;
  if (spec->zero && !spec->left && precision < 0 && padding > 0) {
    zeros += padding;
    padding = 0;
  }
  if (!spec->left)
    pad(writer, ' ', padding);
  for (; *prefix != 0; prefix++)
    labrys_put_char(writer, *prefix);
  pad(writer, '0', zeros);
  while (count > 0)
    labrys_put_char(writer, digit(number, (unsigned)--count));
  if (spec->left)
    pad(writer, ' ', padding);
}

/* How many bytes the number has without padding, as one expression. */
static size_t exact_size(const struct Spec *spec, const struct Number *number,
                         size_t prefix_size) {
  unsigned long long precision = (unsigned long long)spec->precision;
  size_t count = 0, least;
  unsigned i;
  for (i = 0; i < number->most; i++)
    count += (size_t)has_digit(number, i);
  least = (size_t)labrys_select(spec->precision < 0, 1, precision);
  if (number->base == 8 && spec->alternate)
    least = (size_t)labrys_select(least <= count, count + 1, least);
  return prefix_size + (size_t)labrys_select(count < least, least, count);
}

/* The number as it is shown has the digits of its current magnitude. */
static void put_shown(struct Writer *writer, const struct Spec *spec, struct Number *number,
                      size_t prefix_size) {
  size_t before = writer->sink->size, exact = 0;
  if (writer->shown)
    exact = exact_size(spec, number, prefix_size);
  number->magnitude = shown(writer, number->magnitude);
  put_digits(writer, spec, number);
  count_exactly(writer, spec, before, exact);
}

static unsigned most_digits(const struct Spec *spec, unsigned base) {
  int is_long = spec->size == SIZE_LONG || spec->size == SIZE_LONG_DOUBLE;
  if (base == 10)
    return is_long ? 20 : 10;
  if (base == 8)
    return is_long ? 22 : 11;
  return is_long ? 16 : 8;
}

void labrys_put_signed(struct Writer *writer, const struct Spec *spec, long long value) {
  int negative = value < 0, is_marked = spec->plus | spec->space;
  struct Number number;
  number.magnitude = labrys_select(negative, 0 - (unsigned long long)value,
                                   (unsigned long long)value);
  number.base = 10;
  number.most = most_digits(spec, 10);
  number.upper = 0;
  number.prefix = shown(writer, (unsigned long long)negative) ? "-"
                  : spec->plus                                ? "+"
                  : spec->space                               ? " "
                                                              : "";
  put_shown(writer, spec, &number, (size_t)(negative | is_marked));
}

void labrys_put_unsigned(struct Writer *writer, const struct Spec *spec,
                         unsigned long long value) {
  struct Number number;
  size_t prefix_size = 0;
  number.magnitude = value;
  number.base = spec->conversion == 'o' ? 8 : spec->conversion == 'u' ? 10 : 16;
  number.most = most_digits(spec, number.base);
  number.upper = spec->conversion == 'X';
  number.prefix = "";
  if (number.base == 16 && spec->alternate) {
    int is_marked = value != 0;
    prefix_size = 2 * (size_t)is_marked;
    if (shown(writer, (unsigned long long)is_marked))
      number.prefix = number.upper ? "0X" : "0x";
  }
  put_shown(writer, spec, &number, prefix_size);
}

void labrys_put_pointer(struct Writer *writer, const struct Spec *spec, const void *pointer) {
  struct Number number;
  struct Spec hex = *spec;
  if (pointer == NULL) {
    labrys_put_text(writer, spec, "(nil)", 5);
    return;
  }
  hex.size = SIZE_LONG;
  number.magnitude = (uintptr_t)pointer;
  number.base = 16;
  number.most = 16;
  number.upper = 0;
  number.prefix = spec->plus ? "+0x" : spec->space ? " 0x" : "0x";
  put_shown(writer, &hex, &number, strlen(number.prefix));
}

/* ---- Floating-point numbers ---- */

char *labrys_decimal(char *to, unsigned number) {
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

/* The specification as text again. Width and precision have one value on a path. */
static void write_spec(char *to, const struct Spec *spec, const char *size) {
  int width = (int)labrys_pin((unsigned)spec->width);
  int precision = (int)labrys_pin((unsigned)spec->precision);
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
  if (width > 0)
    to = labrys_decimal(to, (unsigned)width);
  if (precision >= 0) {
    *to++ = '.';
    to = labrys_decimal(to, (unsigned)precision);
  }
  while (*size != 0)
    *to++ = *size++;
  *to++ = spec->conversion;
  *to = 0;
}

/* A floating-point number, whose point may be another character, and one of several bytes: then
 * there are fewer bytes before it that fill the width, and all that follows lies further on. */
static void put_all(struct Writer *writer, const struct Spec *spec, const char *text, int size) {
  int i, is_filled = spec->width > 0;
  for (i = 0; is_filled && i < size; i++)
    writer->local_points += text[i] == '.';
  for (i = 0; i < size; i++) {
    writer->local_points += !is_filled && text[i] == '.';
    labrys_put_char(writer, text[i]);
  }
}

/* The bits of a number that is only shown: as they are now. Pinning them instead would tie down
 * all that the program does with the number afterwards. But then the size is not that of every
 * input of the path, so nothing is proved in a run that does this. */
static void show_bits(const struct Writer *writer, unsigned long long *bits) {
  if (!writer->shown || !labrys_is_symbolic(*bits))
    return;
  *bits = labrys_current(*bits);
  labrys_touch("environment: size of printed floating-point numbers");
}

/* The engine formats: shortest digits and correct rounding are its business. It pins the number
 * if it is not only shown, so the size is that of every input of the path. */
void labrys_put_double(struct Writer *writer, const struct Spec *spec, double value) {
  char text[STAGE * 8], form[40];
  int size;
  union {
    double number;
    unsigned long long bits;
  } both;
  both.number = value;
  show_bits(writer, &both.bits);
  value = both.number;
  write_spec(form, spec, "");
  size = labrys_format_double(text, sizeof text, form, value);
  if (size >= (int)sizeof text) {
    char *whole = labrys_malloc((size_t)size + 1);
    labrys_format_double(whole, (size_t)size + 1, form, value);
    put_all(writer, spec, whole, size);
    labrys_free(whole);
    return;
  }
  put_all(writer, spec, text, size);
}

void labrys_put_long_double(struct Writer *writer, const struct Spec *spec, long double value) {
  char form[40], *whole;
  int size;
  union {
    long double number;
    struct {
      unsigned long long mantissa;
      unsigned short exponent;
    } bits;
  } both;
  unsigned long long exponent;
  both.number = value;
  exponent = both.bits.exponent;
  show_bits(writer, &both.bits.mantissa);
  show_bits(writer, &exponent);
  both.bits.exponent = (unsigned short)exponent;
  value = both.number;
  write_spec(form, spec, "L");
  size = labrys_format_long_double(NULL, 0, form, &value);
  whole = labrys_malloc((size_t)size + 1);
  labrys_format_long_double(whole, (size_t)size + 1, form, &value);
  put_all(writer, spec, whole, size);
  labrys_free(whole);
}
