/* wide.c: multibyte characters to wide ones and back, in the current locale: C, or UTF-8 once
 * the program has chosen it. A byte's kind is a path, the character is an expression. */
#include "wide.h"

enum { ILLEGAL = 84 }; /* EILSEQ */

#define WRONG ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

static size_t illegal(void) {
  *__errno_location() = ILLEGAL;
  return WRONG;
}

/* ---- The encodings ---- */

/* How many bytes follow a first byte of UTF-8, -1 if it is none. glibc reads the whole range of
 * 31 bits. */
static int following(unsigned first) {
  if (first < 0xc2)
    return -1;
  if (first < 0xe0)
    return 1;
  if (first < 0xf0)
    return 2;
  if (first < 0xf8)
    return 3;
  if (first < 0xfc)
    return 4;
  return first < 0xfe ? 5 : -1;
}

/* The smallest character with so many following bytes. */
static const unsigned smallest[] = {0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};

static size_t from_utf8(wchar_t *to, const unsigned char *bytes, size_t size) {
  int more, i;
  unsigned value;
  if (bytes[0] < 0x80) {
    *to = bytes[0];
    return 1;
  }
  more = following(bytes[0]);
  if (more < 0)
    return WRONG;
  value = bytes[0] & (0x3fu >> more);
  for (i = 1; i <= more; i++) {
    if ((size_t)i == size)
      return INCOMPLETE;
    if ((bytes[i] & 0xc0) != 0x80)
      return WRONG;
    value = value << 6 | (bytes[i] & 0x3f);
  }
  if ((value < smallest[more]) | (value - 0xd800 < 0x800))
    return WRONG;
  *to = (wchar_t)value;
  return (size_t)more + 1;
}

size_t labrys_bytes_to_wide(wchar_t *to, const char *bytes, size_t size) {
  if (size == 0)
    return INCOMPLETE;
  if (labrys_is_utf8())
    return from_utf8(to, (const unsigned char *)bytes, size);
  if ((unsigned char)*bytes > 127)
    return WRONG;
  *to = (unsigned char)*bytes;
  return 1;
}

size_t labrys_wide_to_bytes(char *to, wchar_t c) {
  unsigned value = (unsigned)c;
  int more = 1, i;
  if (value < 128) {
    *to = (char)value;
    return 1;
  }
  if (!labrys_is_utf8() || value > 0x7fffffff || value - 0xd800 < 0x800)
    return WRONG;
  while (more < 5 && value >= smallest[more + 1])
    more++;
  for (i = more; i > 0; i--) {
    to[i] = (char)(0x80 | (value & 0x3f));
    value >>= 6;
  }
  to[0] = (char)((0xfe << (6 - more)) | value);
  return (size_t)more + 1;
}

/* ---- One character ---- */

static struct ShiftState hidden_state[3];

static size_t read_char(wchar_t *to, const char *from, size_t size, struct ShiftState *state) {
  char bytes[8];
  size_t have = state->count, used, i;
  wchar_t c;
  if (size == 0)
    return INCOMPLETE;
  for (i = 0; i < have; i++)
    bytes[i] = state->bytes[i];
  /* Only as many bytes are looked at as the character has. */
  for (i = 0; i < size; i++) {
    bytes[have + i] = from[i];
    used = labrys_bytes_to_wide(&c, bytes, have + i + 1);
    if (used == INCOMPLETE)
      continue;
    state->count = 0;
    if (used == WRONG)
      return illegal();
    if (to != NULL)
      *to = c;
    return c == 0 ? 0 : i + 1;
  }
  for (i = have; i < have + size; i++)
    state->bytes[i] = bytes[i];
  state->count = (unsigned char)(have + size);
  return INCOMPLETE;
}

WEAK size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t size,
                    struct ShiftState *restrict state) {
  if (state == NULL)
    state = &hidden_state[0];
  if (from == NULL)
    return read_char(NULL, "", 1, state);
  return read_char(to, from, size, state);
}

WEAK size_t mbrlen(const char *restrict from, size_t size, struct ShiftState *restrict state) {
  return mbrtowc(NULL, from, size, state != NULL ? state : &hidden_state[1]);
}

WEAK size_t __mbrlen(const char *restrict from, size_t size, struct ShiftState *restrict state) {
  return mbrlen(from, size, state);
}

WEAK size_t wcrtomb(char *restrict to, wchar_t c, struct ShiftState *restrict state) {
  size_t used;
  (void)state;
  if (to == NULL)
    return 1;
  used = labrys_wide_to_bytes(to, c);
  return used == WRONG ? illegal() : used;
}

WEAK int mbsinit(const struct ShiftState *state) { return state == NULL || state->count == 0; }

WEAK int mbtowc(wchar_t *restrict to, const char *restrict from, size_t size) {
  struct ShiftState state = {0, {0}};
  size_t used;
  if (from == NULL)
    return 0;
  if (*from == 0) {
    if (to != NULL)
      *to = 0;
    return 0;
  }
  used = read_char(to, from, size, &state);
  return used >= INCOMPLETE ? -1 : (int)used;
}

WEAK int mblen(const char *from, size_t size) { return mbtowc(NULL, from, size); }

WEAK int wctomb(char *to, wchar_t c) { return to == NULL ? 0 : (int)wcrtomb(to, c, NULL); }

WEAK wint_t btowc(int c) {
  return (unsigned)c < 128 ? (wint_t)c : (wint_t)-1;
}

WEAK int wctob(wint_t c) { return c < 128 ? (int)c : -1; }

/* ---- Strings ---- */

WEAK size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t size,
                       size_t room, struct ShiftState *restrict state) {
  const char *at = *from;
  size_t count = 0;
  if (state == NULL)
    state = &hidden_state[2];
  while (to == NULL || count < room) {
    wchar_t c;
    size_t used;
    if (size == 0)
      break;
    used = read_char(&c, at, size, state);
    if (used == WRONG) {
      if (to != NULL)
        *from = at;
      return WRONG;
    }
    if (used == INCOMPLETE) {
      at += size;
      break;
    }
    if (to != NULL)
      to[count] = c;
    if (used == 0) {
      if (to != NULL)
        *from = NULL;
      return count;
    }
    at += used;
    size -= used;
    count++;
  }
  if (to != NULL)
    *from = at;
  return count;
}

WEAK size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t room,
                      struct ShiftState *restrict state) {
  return mbsnrtowcs(to, from, SIZE_MAX, room, state);
}

WEAK size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t room) {
  struct ShiftState state = {0, {0}};
  const char *at = from;
  return mbsnrtowcs(to, &at, SIZE_MAX, room, &state);
}

WEAK size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t size,
                       size_t room, struct ShiftState *restrict state) {
  const wchar_t *at = *from;
  size_t count = 0, i;
  (void)state;
  for (; size > 0; size--, at++) {
    char bytes[8];
    size_t used;
    if (to != NULL && count == room)
      break;
    used = labrys_wide_to_bytes(bytes, *at);
    if (used == WRONG) {
      if (to != NULL)
        *from = at;
      return illegal();
    }
    if (to != NULL && used > room - count)
      break;
    for (i = 0; to != NULL && i < used; i++)
      to[count + i] = bytes[i];
    if (*at == 0) {
      if (to != NULL)
        *from = NULL;
      return count;
    }
    count += used;
  }
  if (to != NULL)
    *from = at;
  return count;
}

WEAK size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t room,
                      struct ShiftState *restrict state) {
  return wcsnrtombs(to, from, SIZE_MAX, room, state);
}

WEAK size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t room) {
  const wchar_t *at = from;
  return wcsnrtombs(to, &at, SIZE_MAX, room, NULL);
}

/* ---- Characters of <uchar.h>: UTF-32 is what wchar_t holds ---- */

WEAK size_t mbrtoc32(uint_least32_t *restrict to, const char *restrict from, size_t size,
                     struct ShiftState *restrict state) {
  static struct ShiftState own;
  return mbrtowc((wchar_t *)to, from, size, state != NULL ? state : &own);
}

WEAK size_t c32rtomb(char *restrict to, uint_least32_t c, struct ShiftState *restrict state) {
  return wcrtomb(to, (wchar_t)c, state);
}

/* ---- The forms that _FORTIFY_SOURCE makes ---- */

static void check_room(size_t needed, size_t room) {
  if (needed > room)
    labrys_error("abort");
}

WEAK size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t size, size_t room) {
  check_room(size, room);
  return mbstowcs(to, from, size);
}

WEAK size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t size,
                            struct ShiftState *state, size_t room) {
  check_room(size, room);
  return mbsrtowcs(to, from, size, state);
}

WEAK size_t __wcstombs_chk(char *to, const wchar_t *from, size_t size, size_t room) {
  check_room(size, room);
  return wcstombs(to, from, size);
}

WEAK size_t __wcrtomb_chk(char *to, wchar_t c, struct ShiftState *state, size_t room) {
  check_room(labrys_is_utf8() ? 6 : 1, room);
  return wcrtomb(to, c, state);
}

WEAK int __wctomb_chk(char *to, wchar_t c, size_t room) {
  check_room(labrys_is_utf8() ? 6 : 1, room);
  return wctomb(to, c);
}
