/* memory.c: the functions of <string.h> on blocks of memory. Copying is left to the engine's
 * own memory operations, which keep whole values together; comparing and searching is done
 * without branches on the contents. */
#include "engine.h"

WEAK void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return to;
}

WEAK void *memmove(void *to, const void *from, size_t size) {
  __builtin_memmove(to, from, size);
  return to;
}

WEAK void *memset(void *to, int byte, size_t size) {
  __builtin_memset(to, byte, size);
  return to;
}

WEAK void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return (char *)to + size;
}

WEAK void bcopy(const void *from, void *to, size_t size) { __builtin_memmove(to, from, size); }

WEAK void bzero(void *to, size_t size) { __builtin_memset(to, 0, size); }

WEAK void explicit_bzero(void *to, size_t size) { __builtin_memset(to, 0, size); }

/* From the last byte to the first: each difference overrides those behind it. */
WEAK int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  int result = 0;
  while (size > 0) {
    int difference;
    size--;
    difference = (int)a[size] - (int)b[size];
    result = (int)labrys_select(difference != 0, (unsigned long long)difference,
                                (unsigned long long)result);
  }
  return result;
}

WEAK int bcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  int different = 0;
  size_t i;
  for (i = 0; i < size; i++)
    different |= a[i] ^ b[i];
  return different;
}

/* The place is found without branches; only whether there is one is a branch. Bytes behind a
 * certain hit are not read. */
WEAK void *memchr(const void *block, int byte, size_t size) {
  const unsigned char *bytes = block;
  unsigned char wanted = (unsigned char)byte;
  size_t place = 0, i;
  int found = 0;
  for (i = 0; i < size; i++) {
    int hit = bytes[i] == wanted;
    place = (size_t)labrys_select(hit & !found, i, place);
    found |= hit;
    if (!labrys_is_symbolic((unsigned long long)hit) && hit)
      break;
  }
  if (!found)
    return NULL;
  return (void *)(bytes + place);
}

WEAK void *memrchr(const void *block, int byte, size_t size) {
  const unsigned char *bytes = block;
  unsigned char wanted = (unsigned char)byte;
  size_t place = 0, i;
  int found = 0;
  for (i = size; i > 0; i--) {
    int hit = bytes[i - 1] == wanted;
    place = (size_t)labrys_select(hit & !found, i - 1, place);
    found |= hit;
    if (!labrys_is_symbolic((unsigned long long)hit) && hit)
      break;
  }
  if (!found)
    return NULL;
  return (void *)(bytes + place);
}

WEAK void *rawmemchr(const void *block, int byte) {
  const unsigned char *bytes = block;
  while (*bytes != (unsigned char)byte)
    bytes++;
  return (void *)bytes;
}

WEAK void *memmem(const void *block, size_t size, const void *part, size_t part_size) {
  const unsigned char *bytes = block;
  size_t i;
  for (i = 0; part_size <= size && i <= size - part_size; i++)
    if (bcmp(bytes + i, part, part_size) == 0)
      return (void *)(bytes + i);
  return NULL;
}

/* The forms that _FORTIFY_SOURCE makes: room is the size of the destination. */
static void check_room(size_t size, size_t room) {
  if (size > room)
    labrys_error("abort");
}

WEAK void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
  check_room(size, room);
  return memcpy(to, from, size);
}

WEAK void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
  check_room(size, room);
  return memmove(to, from, size);
}

WEAK void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room) {
  check_room(size, room);
  return mempcpy(to, from, size);
}

WEAK void *__memset_chk(void *to, int byte, size_t size, size_t room) {
  check_room(size, room);
  return memset(to, byte, size);
}
