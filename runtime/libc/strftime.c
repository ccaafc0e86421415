/* strftime.c: calendar times as text, as the C locale has it, with glibc's flags and widths. */
#include "calendar.h"

const char *const labrys_day_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday"};
const char *const labrys_month_names[12] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

struct Output {
  char *to;
  size_t room, size;
};

/* Flags and width of one conversion. */
struct Form {
  char padding; /* 0 for what the conversion wants, else - _ 0 + */
  int upper, swap;
  int width; /* -1 if not given */
};

static void put(struct Output *output, char c) {
  if (output->size < output->room)
    output->to[output->size] = c;
  output->size++;
}

static void pad(struct Output *output, char c, int count) {
  for (; count > 0; count--)
    put(output, c);
}

static char upper(char c) { return (char)(c - (((unsigned)c - 'a' < 26) << 5)); }
static char lower(char c) { return (char)(c + (((unsigned)c - 'A' < 26) << 5)); }

static void put_text(struct Output *output, const struct Form *form, const char *text,
                     size_t size, int is_swapped_lower) {
  size_t i;
  pad(output, form->padding == '0' || form->padding == '+' ? '0' : ' ', form->width - (int)size);
  for (i = 0; i < size; i++) {
    char c = text[i];
    if (form->swap && is_swapped_lower)
      c = lower(c);
    else if (form->upper || form->swap)
      c = upper(c);
    put(output, c);
  }
}

static void put_name(struct Output *output, const struct Form *form, const char *name,
                     size_t most) {
  size_t size = strlen(name);
  labrys_rest_on_locale();
  put_text(output, form, name, size < most ? size : most, 0);
}

/* digits is the width that the conversion has by itself, filler what it is filled with. */
static void put_number(struct Output *output, const struct Form *form, long number, int digits,
                       char filler) {
  char text[24];
  int count = 0, is_negative = number < 0, width;
  unsigned long magnitude = is_negative ? 0 - (unsigned long)number : (unsigned long)number;
  char padding = form->padding != 0 ? form->padding : filler;
  /* The usual field has one size, whatever its value is. */
  if (digits == 2 && padding == '0' && form->width <= 2 && (unsigned long)number < 100) {
    put(output, (char)('0' + (unsigned)number / 10));
    put(output, (char)('0' + (unsigned)number % 10));
    return;
  }
  do {
    text[count++] = (char)('0' + magnitude % 10);
    magnitude /= 10;
  } while (magnitude != 0);
  /* Without padding of its own, a number is padded to the given width only. */
  width = padding == '-' ? form->width : form->width > digits ? form->width : digits;
  if (padding == '_' || padding == '-') {
    pad(output, ' ', width - count - is_negative);
    if (is_negative)
      put(output, '-');
  } else {
    if (is_negative)
      put(output, '-');
    pad(output, '0', width - count - is_negative);
  }
  while (count > 0)
    put(output, text[--count]);
}

static int days_in(long year) {
  return 365 + (((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0));
}

/* The week of ISO 8601 and the year that it belongs to. */
static int iso_week(const struct tm *time, long *year) {
  long start = time->tm_yday - (time->tm_wday + 6) % 7 + 3; /* the Thursday of this week */
  *year = time->tm_year + 1900L;
  if (start < 0) {
    --*year;
    start += days_in(*year);
  } else if (start >= days_in(*year)) {
    start -= days_in(*year);
    ++*year;
  }
  return (int)(start / 7 + 1);
}

static void put_format(struct Output *output, const char *format, const struct tm *time);

/* A conversion that stands for others. */
static void put_several(struct Output *output, const struct Form *form, const char *format,
                        const struct tm *time) {
  char text[128];
  struct Output part = {NULL, 0, 0};
  part.to = text;
  part.room = sizeof text;
  put_format(&part, format, time);
  put_text(output, form, text, part.size, 0);
}

static long century_of(long year) { return year / 100 - (year % 100 < 0); }

static void put_zone(struct Output *output, const struct Form *form, const struct tm *time,
                     int colons) {
  long offset = time->tm_gmtoff, minutes;
  struct Form plain = {0, 0, 0, -1};
  (void)form;
  if (time->tm_isdst < 0)
    return;
  put(output, offset < 0 ? '-' : '+');
  offset = offset < 0 ? -offset : offset;
  minutes = offset / 60 % 60;
  put_number(output, &plain, offset / 3600, 2, '0');
  if (colons == 3 && offset % 3600 == 0)
    return;
  if (colons > 0)
    put(output, ':');
  put_number(output, &plain, minutes, 2, '0');
  if (colons == 2 || (colons == 3 && offset % 60 != 0)) {
    put(output, ':');
    put_number(output, &plain, offset % 60, 2, '0');
  }
}

/* Conversions of a single field. False if the letter is none. */
static int put_field(struct Output *output, const struct Form *form, char letter,
                     const struct tm *time) {
  long year = time->tm_year + 1900L, week_year;
  int hour = time->tm_hour % 12 == 0 ? 12 : time->tm_hour % 12, week;
  switch (letter) {
  case 'a':
  case 'A':
    put_name(output, form, (unsigned)time->tm_wday < 7 ? labrys_day_names[time->tm_wday] : "?",
             letter == 'a' ? 3 : 99);
    return 1;
  case 'b':
  case 'h':
  case 'B':
    put_name(output, form, (unsigned)time->tm_mon < 12 ? labrys_month_names[time->tm_mon] : "?",
             letter == 'B' ? 99 : 3);
    return 1;
  case 'C':
    put_number(output, form, century_of(year), 1, '0');
    return 1;
  case 'd':
    put_number(output, form, time->tm_mday, 2, '0');
    return 1;
  case 'e':
    put_number(output, form, time->tm_mday, 2, '_');
    return 1;
  case 'g':
    iso_week(time, &week_year);
    put_number(output, form, (week_year % 100 + 100) % 100, 2, '0');
    return 1;
  case 'G':
    iso_week(time, &week_year);
    put_number(output, form, week_year, 1, '0');
    return 1;
  case 'H':
    put_number(output, form, time->tm_hour, 2, '0');
    return 1;
  case 'I':
    put_number(output, form, hour, 2, '0');
    return 1;
  case 'j':
    put_number(output, form, time->tm_yday + 1, 3, '0');
    return 1;
  case 'k':
    put_number(output, form, time->tm_hour, 2, '_');
    return 1;
  case 'l':
    put_number(output, form, hour, 2, '_');
    return 1;
  case 'm':
    put_number(output, form, time->tm_mon + 1, 2, '0');
    return 1;
  case 'M':
    put_number(output, form, time->tm_min, 2, '0');
    return 1;
  case 'p':
  case 'P':
    labrys_rest_on_locale();
    put_text(output, form, letter == 'P' ? (time->tm_hour > 11 ? "pm" : "am")
                                         : (time->tm_hour > 11 ? "PM" : "AM"), 2, letter == 'p');
    return 1;
  case 's': {
    struct tm copy = *time;
    put_number(output, form, timegm(&copy), 1, '0');
    return 1;
  }
  case 'S':
    put_number(output, form, time->tm_sec, 2, '0');
    return 1;
  case 'u':
    put_number(output, form, (time->tm_wday + 6) % 7 + 1, 1, '0');
    return 1;
  case 'U':
    put_number(output, form, (time->tm_yday - time->tm_wday + 7) / 7, 2, '0');
    return 1;
  case 'V':
    week = iso_week(time, &week_year);
    put_number(output, form, week, 2, '0');
    return 1;
  case 'w':
    put_number(output, form, time->tm_wday, 1, '0');
    return 1;
  case 'W':
    put_number(output, form, (time->tm_yday - (time->tm_wday + 6) % 7 + 7) / 7, 2, '0');
    return 1;
  case 'y':
    put_number(output, form, (year % 100 + 100) % 100, 2, '0');
    return 1;
  case 'Y':
    put_number(output, form, year, form->padding == '+' && year > 9999 ? 5 : 1, '0');
    return 1;
  case 'Z': {
    const char *zone = time->tm_zone != NULL ? time->tm_zone : "";
    put_text(output, form, zone, strlen(zone), 1);
    return 1;
  }
  default:
    return 0;
  }
}

/* Conversions that stand for others. */
static const char *expansion(char letter) {
  switch (letter) {
  case 'c':
    labrys_rest_on_locale();
    return "%a %b %e %H:%M:%S %Y";
  case 'x':
    labrys_rest_on_locale();
    return "%m/%d/%y";
  case 'D':
    return "%m/%d/%y";
  case 'F':
    return "%Y-%m-%d";
  case 'r':
    labrys_rest_on_locale();
    return "%I:%M:%S %p";
  case 'R':
    return "%H:%M";
  case 'X':
    labrys_rest_on_locale();
    return "%H:%M:%S";
  case 'T':
    return "%H:%M:%S";
  default:
    return NULL;
  }
}

static const char *read_form(const char *at, struct Form *form) {
  static const struct Form empty = {0, 0, 0, -1};
  *form = empty;
  for (;; at++) {
    if (*at == '_' || *at == '-' || *at == '0' || *at == '+')
      form->padding = *at;
    else if (*at == '^')
      form->upper = 1;
    else if (*at == '#')
      form->swap = 1;
    else
      break;
  }
  if ((unsigned)*at - '0' < 10)
    for (form->width = 0; (unsigned)*at - '0' < 10; at++)
      form->width = form->width * 10 + (*at - '0');
  if (*at == 'E' || *at == 'O')
    at++;
  return at;
}

static void put_format(struct Output *output, const char *format, const struct tm *time) {
  while (*format != 0) {
    const char *start = format, *several;
    struct Form form;
    int colons = 0;
    if (*format != '%') {
      put(output, *format++);
      continue;
    }
    format = read_form(format + 1, &form);
    while (*format == ':')
      colons++, format++;
    several = expansion(*format);
    if (*format == 'z' && colons <= 3) {
      put_zone(output, &form, time, colons);
    } else if (colons > 0 || *format == 0) {
      /* Not a conversion: shown as it is. */
      if (*format != 0)
        format++;
      while (start < format)
        put(output, *start++);
      continue;
    } else if (several != NULL) {
      put_several(output, &form, several, time);
    } else if (*format == 'n' || *format == 't' || *format == '%') {
      put(output, *format == 'n' ? '\n' : *format == 't' ? '\t' : '%');
    } else if (!put_field(output, &form, *format, time)) {
      while (start <= format)
        put(output, *start++);
    }
    format++;
  }
}

WEAK size_t strftime(char *restrict to, size_t room, const char *restrict format,
                     const struct tm *restrict time) {
  struct Output output = {NULL, 0, 0};
  output.to = to;
  output.room = room;
  put_format(&output, format, time);
  if (output.size >= room) {
    if (room > 0)
      *__errno_location() = ERANGE;
    return 0;
  }
  to[output.size] = 0;
  return output.size;
}

WEAK size_t strftime_l(char *restrict to, size_t room, const char *restrict format,
                       const struct tm *restrict time, void *locale) {
  (void)locale;
  return strftime(to, room, format, time);
}
