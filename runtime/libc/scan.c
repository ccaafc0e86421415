/* scan.c: the scanner behind the scanf family, for strings and streams. It reads character by
 * character, as glibc does: what a character is, is a path; the value of an integer is an
 * expression. */
#include "scan.h"

int fgetc(FILE *stream);
int ungetc(int c, FILE *stream);

enum { ILLEGAL = 84 }; /* EILSEQ */

/* ---- Characters ---- */

/* At the end glibc sets the error number back to what it was when the end was met. */
static int next(struct Source *source) {
  int c;
  if (source->has_ended) {
    *__errno_location() = source->error;
    return END_OF_INPUT;
  }
  if (source->stream != NULL) {
    c = fgetc(source->stream);
  } else {
    c = (unsigned char)*source->text;
    if (c == 0)
      c = END_OF_INPUT;
    else
      source->text++;
  }
  if (c != END_OF_INPUT) {
    source->count++;
  } else {
    source->has_ended = 1;
    source->error = *__errno_location();
  }
  return c;
}

static void back(struct Source *source, int c) {
  if (c == END_OF_INPUT)
    return;
  source->count--;
  if (source->stream != NULL)
    ungetc(c, source->stream);
  else
    source->text--;
}

static int next_behind_space(struct Source *source) {
  int c;
  do
    c = next(source);
  while (c != END_OF_INPUT && labrys_is_space(c));
  return c;
}

static int lower(int c) { return c + (((unsigned)c - 'A' < 26) << 5); }

/* ---- Where results go ---- */

/* Text of which the size is not known before. */
struct Text {
  char *bytes;
  size_t size, room;
};

static void add(struct Text *text, char c) {
  if (text->size == text->room) {
    size_t room = text->room == 0 ? 32 : text->room * 2;
    char *more = malloc(room);
    if (text->size > 0)
      __builtin_memcpy(more, text->bytes, text->size);
    free(text->bytes);
    text->bytes = more;
    text->room = room;
  }
  text->bytes[text->size++] = c;
}

static void *place(struct Scan *scan) {
  va_list all;
  void *result = NULL;
  int i;
  if (scan->position == 0)
    return va_arg(scan->rest, void *);
  va_copy(all, scan->first);
  for (i = 0; i < scan->position; i++)
    result = va_arg(all, void *);
  va_end(all);
  return result;
}

static void store_integer(struct Scan *scan, unsigned long long value) {
  void *to = place(scan);
  switch (scan->size) {
  case SCAN_CHAR:
    *(unsigned char *)to = (unsigned char)value;
    break;
  case SCAN_SHORT:
    *(unsigned short *)to = (unsigned short)value;
    break;
  case SCAN_INT:
    *(unsigned *)to = (unsigned)value;
    break;
  default:
    *(unsigned long long *)to = value;
  }
}

/* ---- Conversions: what became of one ---- */

static enum Outcome scan_integer(struct Scan *scan, int base, int is_signed, int is_pointer) {
  struct Source *source = scan->source;
  struct Digits digits = {0, 0, 0, 0, 0};
  unsigned long long value;
  unsigned digit;
  int width = scan->width, c = next(source), has_sign = 0;
  digits.is_signed = is_signed;
  if (c == END_OF_INPUT)
    return NO_INPUT;
  if ((c == '-') | (c == '+')) {
    has_sign = 1;
    digits.negative = c == '-';
    width -= width > 0;
    c = next(source);
  }
  if (width != 0 && c == '0') {
    width -= width > 0;
    labrys_add_digit(&digits, 10, 0);
    c = next(source);
    if (width != 0 && (base == 0 || base == 16) && lower(c) == 'x') {
      base = 16;
      width -= width > 0;
      c = next(source);
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0)
    base = 10;
  while (c != END_OF_INPUT && width != 0) {
    digit = labrys_digit_value(c);
    if (digit >= (unsigned)base)
      break;
    labrys_add_digit(&digits, (unsigned)base, digit);
    width -= width > 0;
    c = next(source);
  }
  if (digits.count == 0) {
    static const char nil[] = "(nil)";
    int i = 0;
    if (is_pointer && !has_sign && (width < 0 || width >= 5))
      for (; i < 5 && lower(c) == nil[i]; i++)
        if (i < 4)
          c = next(source);
    if (i < 5) {
      back(source, c);
      return MISMATCH;
    }
  } else {
    back(source, c);
  }
  /* Also where it is not stored: it may be out of range. */
  value = labrys_digits_value(&digits);
  if (!scan->suppress)
    store_integer(scan, value);
  return MATCHED;
}

/* Letters of a word that must follow. False if another character comes. */
static int take_word(struct Scan *scan, struct Text *text, int *width, const char *word) {
  for (; *word != 0; word++) {
    int c;
    if (*width == 0)
      return 0;
    c = next(scan->source);
    if (c == END_OF_INPUT || lower(c) != *word)
      return 0;
    *width -= *width > 0;
    add(text, (char)c);
  }
  return 1;
}

/* Collects what looks like a number. */
static int collect_digits(struct Scan *scan, struct Text *text, int *width, int c, size_t sign) {
  struct Source *source = scan->source;
  int got_digit = 0, got_dot = 0, got_exponent = 0, is_hex = 0, letter = 'e';
  if (*width != 0 && c == '0') {
    add(text, '0');
    c = next(source);
    *width -= *width > 0;
    if (*width != 0 && lower(c) == 'x') {
      add(text, 'x');
      is_hex = 1;
      letter = 'p';
      c = next(source);
      *width -= *width > 0;
    } else {
      got_digit = 1;
    }
  }
  for (;;) {
    unsigned digit = labrys_digit_value(c);
    if (c != END_OF_INPUT && (digit < 10 || (is_hex && !got_exponent && digit < 16))) {
      add(text, (char)c);
      got_digit = 1;
    } else if (got_exponent && text->bytes[text->size - 1] == letter && ((c == '-') | (c == '+'))) {
      add(text, (char)c);
    } else if (got_digit && !got_exponent && lower(c) == letter) {
      add(text, (char)letter);
      got_exponent = got_dot = 1;
    } else if (!got_dot && labrys_local(c == '.')) {
      add(text, '.');
      got_dot = 1;
    } else {
      back(source, c);
      break;
    }
    if (*width == 0)
      break;
    c = next(source);
    if (c == END_OF_INPUT)
      break;
    *width -= *width > 0;
  }
  return text->size != sign && !(is_hex && text->size == sign + 2);
}

static int store_float(struct Scan *scan, const char *text) {
  char *end;
  void *to;
  if (scan->size == SCAN_LONG_DOUBLE) {
    long double value = strtold(text, &end);
    if (end != text && !scan->suppress)
      *(long double *)place(scan) = value;
  } else if (scan->size == SCAN_LONG) {
    double value = strtod(text, &end);
    if (end != text && !scan->suppress)
      *(double *)place(scan) = value;
  } else {
    float value = strtof(text, &end);
    if (end != text && !scan->suppress) {
      to = place(scan);
      *(float *)to = value;
    }
  }
  return end != text;
}

static int collect_float(struct Scan *scan, struct Text *text, int c) {
  int width = scan->width - (scan->width > 0);
  size_t sign = 0;
  if ((c == '-') | (c == '+')) {
    add(text, (char)c);
    sign = 1;
    if (width == 0)
      return 0;
    c = next(scan->source);
    if (c == END_OF_INPUT)
      return 0;
    width -= width > 0;
  }
  if (lower(c) == 'n') {
    add(text, (char)c);
    return take_word(scan, text, &width, "an");
  }
  if (lower(c) == 'i') {
    add(text, (char)c);
    if (!take_word(scan, text, &width, "nf"))
      return 0;
    if (width == 0)
      return 1;
    c = next(scan->source);
    if (c != END_OF_INPUT && lower(c) == 'i') {
      add(text, (char)c);
      width -= width > 0;
      return take_word(scan, text, &width, "nity");
    }
    back(scan->source, c);
    return 1;
  }
  return collect_digits(scan, text, &width, c, sign);
}

static enum Outcome scan_float(struct Scan *scan) {
  struct Text text = {NULL, 0, 0};
  int c = next(scan->source), matched;
  if (c == END_OF_INPUT)
    return NO_INPUT;
  matched = collect_float(scan, &text, c);
  if (matched) {
    add(&text, 0);
    matched = store_float(scan, text.bytes);
  }
  free(text.bytes);
  return matched ? MATCHED : MISMATCH;
}

/* Puts bytes where they belong: one by one, as wide characters, or into new memory. */
struct Target {
  struct Scan *scan;
  void *to;          /* the destination, or where the pointer to new memory goes */
  size_t count;      /* characters stored */
  struct Text fresh; /* with m */
  struct Text pending; /* bytes of an incomplete wide character */
};

static void store_unit(struct Target *target, wchar_t c) {
  int is_wide = target->scan->size == SCAN_LONG;
  if (target->scan->suppress)
    return;
  if (target->scan->allocate) {
    size_t i;
    for (i = 0; i < (is_wide ? sizeof(wchar_t) : 1); i++)
      add(&target->fresh, (char)((unsigned)c >> (8 * i)));
  } else if (is_wide) {
    ((wchar_t *)target->to)[target->count] = c;
  } else {
    ((char *)target->to)[target->count] = (char)c;
  }
  target->count++;
}

/* False if the bytes are no character of the locale. */
static int store_char(struct Target *target, int c) {
  wchar_t wide;
  size_t used;
  if (target->scan->size != SCAN_LONG) {
    store_unit(target, (wchar_t)c);
    return 1;
  }
  add(&target->pending, (char)c);
  used = labrys_bytes_to_wide(&wide, target->pending.bytes, target->pending.size);
  if (used == (size_t)-2)
    return 1;
  if (used == (size_t)-1)
    return 0;
  target->pending.size = 0;
  store_unit(target, wide);
  return 1;
}

static void begin_target(struct Target *target, struct Scan *scan) {
  static const struct Target empty;
  *target = empty;
  target->scan = scan;
  if (!scan->suppress)
    target->to = place(scan);
}

static void end_target(struct Target *target, int is_string) {
  if (is_string)
    store_unit(target, 0);
  free(target->pending.bytes);
  if (!target->scan->suppress && target->scan->allocate)
    *(char **)target->to = target->fresh.bytes;
}

static enum Outcome scan_chars(struct Scan *scan) {
  struct Target target;
  int width = scan->width < 0 ? 1 : scan->width, c = next(scan->source);
  if (c == END_OF_INPUT)
    return NO_INPUT;
  begin_target(&target, scan);
  for (;;) {
    if (!store_char(&target, c)) {
      *__errno_location() = ILLEGAL;
      return MISMATCH;
    }
    if (target.pending.size == 0)
      width--;
    if (width <= 0)
      break;
    c = next(scan->source);
    if (c == END_OF_INPUT)
      break;
  }
  end_target(&target, 0);
  return MATCHED;
}

/* A string of characters that are in the set: all but space if it is null. */
static enum Outcome scan_string(struct Scan *scan, const unsigned char *set) {
  struct Target target;
  struct Source *source = scan->source;
  int width = scan->width, c = next(source);
  size_t taken = 0;
  if (c == END_OF_INPUT)
    return NO_INPUT;
  begin_target(&target, scan);
  for (;;) {
    if (set != NULL ? !set[c] : labrys_is_space(c)) {
      back(source, c);
      break;
    }
    taken++;
    if (!store_char(&target, c)) {
      *__errno_location() = ILLEGAL;
      return MISMATCH;
    }
    if (target.pending.size == 0 && width > 0 && --width == 0)
      break;
    c = next(source);
    if (c == END_OF_INPUT)
      break;
  }
  if (taken == 0) {
    free(target.fresh.bytes);
    return MISMATCH;
  }
  end_target(&target, 1);
  return MATCHED;
}

/* Reads the set behind "%["; null if it has no end. */
static const char *read_set(const char *at, unsigned char *set) {
  int negative = *at == '^', c;
  at += negative;
  __builtin_memset(set, negative, 256);
  if (*at == ']' || *at == '-')
    set[(unsigned char)*at++] = !negative;
  for (; *at != 0 && *at != ']'; at++) {
    if (*at == '-' && at[1] != 0 && at[1] != ']' && (unsigned char)at[-1] <= (unsigned char)at[1])
      for (c = (unsigned char)at[-1]; c < (unsigned char)at[1]; c++)
        set[c] = !negative;
    else
      set[(unsigned char)*at] = !negative;
  }
  return *at != 0 ? at + 1 : NULL;
}

/* ---- The format ---- */

static const char *read_spec(const char *at, struct Scan *scan) {
  const char *start = at;
  int number = 0;
  scan->suppress = scan->allocate = scan->position = 0;
  scan->width = -1;
  scan->size = SCAN_INT;
  while ((unsigned)*at - '0' < 10)
    number = number * 10 + (*at++ - '0');
  if (at != start && *at == '$') {
    scan->position = number;
    at++;
  } else {
    at = start;
  }
  while (*at == '*' || *at == '\'' || *at == 'I')
    scan->suppress |= *at++ == '*';
  for (number = 0, start = at; (unsigned)*at - '0' < 10; at++)
    number = number * 10 + (*at - '0');
  if (at != start && number > 0)
    scan->width = number;
  for (;; at++) {
    if (*at == 'h')
      scan->size = scan->size == SCAN_SHORT ? SCAN_CHAR : SCAN_SHORT;
    else if (*at == 'l' && scan->size == SCAN_LONG)
      scan->size = SCAN_LONG_DOUBLE;
    else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'Z')
      scan->size = SCAN_LONG;
    else if (*at == 'L' || *at == 'q')
      scan->size = SCAN_LONG_DOUBLE;
    else if (*at == 'm')
      scan->allocate = 1;
    else if (*at == 'a' && scan->is_old && (at[1] == 's' || at[1] == 'S' || at[1] == '['))
      scan->allocate = 1;
    else
      return at;
  }
}

static enum Outcome convert(struct Scan *scan, char conversion, const char **format) {
  unsigned char set[256];
  int c;
  switch (conversion) {
  case '%':
    c = next(scan->source);
    if (c == END_OF_INPUT)
      return NO_INPUT;
    if (c == '%')
      return SKIPPED;
    back(scan->source, c);
    return MISMATCH;
  case 'n':
    if (!scan->suppress)
      store_integer(scan, scan->source->count);
    return SKIPPED;
  case 'd':
    return scan_integer(scan, 10, 1, 0);
  case 'i':
    return scan_integer(scan, 0, 1, 0);
  case 'u':
    return scan_integer(scan, 10, 0, 0);
  case 'o':
    return scan_integer(scan, 8, 0, 0);
  case 'x':
  case 'X':
    return scan_integer(scan, 16, 0, 0);
  case 'p':
    scan->size = SCAN_LONG;
    return scan_integer(scan, 16, 0, 1);
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return scan_float(scan);
  case 'C':
    scan->size = SCAN_LONG;
    return scan_chars(scan);
  case 'c':
    return scan_chars(scan);
  case 'S':
    scan->size = SCAN_LONG;
    return scan_string(scan, NULL);
  case 's':
    return scan_string(scan, NULL);
  case '[':
    *format = read_set(*format, set);
    return *format != NULL ? scan_string(scan, set) : MISMATCH;
  default:
    return MISMATCH;
  }
}

static int skips_space(char conversion) {
  return conversion != '[' && conversion != 'c' && conversion != 'C' && conversion != 'n';
}

int labrys_scan(struct Scan *scan, const char *format) {
  struct Source *source = scan->source;
  int done = 0, pending_space = 0, c;
  while (*format != 0) {
    enum Outcome outcome;
    char conversion;
    if (*format != '%') {
      if (labrys_is_space((unsigned char)*format)) {
        pending_space = 1;
        format++;
        continue;
      }
      c = pending_space ? next_behind_space(source) : next(source);
      pending_space = 0;
      if (c == END_OF_INPUT)
        return done > 0 ? done : END_OF_INPUT;
      if (c != (unsigned char)*format) {
        back(source, c);
        return done;
      }
      format++;
      continue;
    }
    format = read_spec(format + 1, scan);
    conversion = *format;
    if (conversion == 0)
      return done;
    format++;
    if (pending_space || skips_space(conversion)) {
      int error = *__errno_location();
      back(source, next_behind_space(source));
      *__errno_location() = error;
    }
    pending_space = 0;
    outcome = convert(scan, conversion, &format);
    if (outcome == NO_INPUT)
      return done > 0 ? done : END_OF_INPUT;
    if (outcome == MISMATCH)
      return done;
    done += outcome == MATCHED && !scan->suppress;
  }
  if (pending_space)
    back(source, next_behind_space(source));
  return done;
}
