/* string.c: length, copying and splitting of strings. A length is a path: code that asks
 * for one nearly always depends on it. */
#include "engine.h"

size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);

/* After this many bytes with inputs in them it is a branch whether the string has ended. */
enum { BRANCH_FREE = 256 };

/* The place of the first end is chosen from the last possible one backwards. A byte is read only
 * if no run of this path is sure to have ended before it; where that is open and the byte is out
 * of bounds or uninitialised, it is a branch. */
size_t labrys_length(const char *text, size_t most) {
  size_t bound = labrys_object_size(text), from = 0, size = 0, symbolic = 0, length, i;
  for (; size < most; size++) {
    unsigned long long byte;
    if (size == bound || symbolic > BRANCH_FREE || labrys_is_uninit((unsigned char)text[size])) {
      int ended = 0;
      for (i = from; i < size; i++)
        ended |= text[i] == 0;
      if (ended)
        break;
      from = size;
      symbolic = 0;
    }
    byte = (unsigned char)text[size];
    if (labrys_is_symbolic(byte))
      symbolic++;
    else if (byte == 0)
      break;
  }
  length = size;
  for (i = size; symbolic > 0 && i > from; i--)
    length = (size_t)labrys_select(text[i - 1] == 0, i - 1, length);
  return length;
}

WEAK size_t strlen(const char *text) {
  size_t size = 0;
  while (text[size] != 0)
    size++;
  return size;
}

WEAK size_t strnlen(const char *text, size_t most) {
  size_t size = 0;
  while (size < most && text[size] != 0)
    size++;
  return size;
}

WEAK char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from) != 0) {
    to++;
    from++;
  }
  return to;
}

WEAK char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

WEAK char *stpncpy(char *restrict to, const char *restrict from, size_t size) {
  size_t used = strnlen(from, size);
  __builtin_memcpy(to, from, used);
  __builtin_memset(to + used, 0, size - used);
  return to + used;
}

WEAK char *strncpy(char *restrict to, const char *restrict from, size_t size) {
  stpncpy(to, from, size);
  return to;
}

WEAK char *strcat(char *restrict to, const char *restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

WEAK char *strncat(char *restrict to, const char *restrict from, size_t size) {
  char *end = to + strlen(to);
  size_t used = strnlen(from, size);
  __builtin_memcpy(end, from, used);
  end[used] = 0;
  return to;
}

WEAK char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest) {
  char *end;
  if (text == NULL)
    text = *rest;
  text += strspn(text, set);
  if (*text == 0) {
    *rest = text;
    return NULL;
  }
  end = text + strcspn(text, set);
  if (*end != 0)
    *end++ = 0;
  *rest = end;
  return text;
}

WEAK char *strtok(char *restrict text, const char *restrict set) {
  static char *rest;
  return strtok_r(text, set, &rest);
}

WEAK char *strsep(char **restrict text, const char *restrict set) {
  char *start = *text, *end;
  if (start == NULL)
    return NULL;
  end = start + strcspn(start, set);
  if (*end != 0) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = NULL;
  }
  return start;
}

WEAK char *strndup(const char *text, size_t most) {
  size_t size = strnlen(text, most);
  char *copy = malloc(size + 1);
  if (copy == NULL)
    return NULL;
  __builtin_memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}

WEAK char *strdup(const char *text) { return strndup(text, SIZE_MAX); }

WEAK char *__strdup(const char *text) { return strndup(text, SIZE_MAX); }

WEAK size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t needed = strlen(from);
  size_t used = needed + 1 < size ? needed + 1 : size;
  __builtin_memcpy(to, from, used);
  return needed;
}

WEAK size_t __strxfrm_l(char *restrict to, const char *restrict from, size_t size,
                        void *locale) {
  (void)locale;
  return strxfrm(to, from, size);
}

WEAK size_t strxfrm_l(char *restrict to, const char *restrict from, size_t size, void *locale) {
  (void)locale;
  return strxfrm(to, from, size);
}

WEAK char *__strndup(const char *text, size_t most) { return strndup(text, most); }

WEAK char *__stpcpy(char *restrict to, const char *restrict from) { return stpcpy(to, from); }

WEAK char *__stpncpy(char *restrict to, const char *restrict from, size_t size) {
  return stpncpy(to, from, size);
}

WEAK char *__strtok_r(char *restrict text, const char *restrict set, char **restrict rest) {
  return strtok_r(text, set, rest);
}

WEAK char *__strsep(char **restrict text, const char *restrict set) { return strsep(text, set); }

WEAK size_t strlcpy(char *restrict to, const char *restrict from, size_t room) {
  size_t size = strlen(from), used = size < room ? size : room - 1;
  if (room == 0)
    return size;
  __builtin_memcpy(to, from, used);
  to[used] = 0;
  return size;
}

WEAK size_t strlcat(char *restrict to, const char *restrict from, size_t room) {
  size_t used = strnlen(to, room);
  if (used == room)
    return room + strlen(from);
  return used + strlcpy(to + used, from, room - used);
}

/* The forms that _FORTIFY_SOURCE makes: room is the size of the destination. */
static void check_room(size_t needed, size_t room) {
  if (needed > room)
    labrys_error("abort");
}

WEAK char *__strcpy_chk(char *to, const char *from, size_t room) {
  check_room(strlen(from) + 1, room);
  return strcpy(to, from);
}

WEAK char *__stpcpy_chk(char *to, const char *from, size_t room) {
  check_room(strlen(from) + 1, room);
  return stpcpy(to, from);
}

WEAK char *__strncpy_chk(char *to, const char *from, size_t size, size_t room) {
  check_room(size, room);
  return strncpy(to, from, size);
}

WEAK char *__stpncpy_chk(char *to, const char *from, size_t size, size_t room) {
  check_room(size, room);
  return stpncpy(to, from, size);
}

WEAK char *__strcat_chk(char *to, const char *from, size_t room) {
  check_room(strlen(to) + strlen(from) + 1, room);
  return strcat(to, from);
}

WEAK char *__strncat_chk(char *to, const char *from, size_t size, size_t room) {
  check_room(strlen(to) + strnlen(from, size) + 1, room);
  return strncat(to, from, size);
}

WEAK size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t room) {
  check_room(size, room);
  return strlcpy(to, from, size);
}

WEAK size_t __strlcat_chk(char *to, const char *from, size_t size, size_t room) {
  check_room(size, room);
  return strlcat(to, from, size);
}
