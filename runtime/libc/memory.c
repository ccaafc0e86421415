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
 * certain hit are not read. Where the object ends, or was never written, it is a branch whether
 * there has been one before. */
WEAK void *memchr(const void *block, int byte, size_t size) {
  const unsigned char *bytes = block;
  unsigned char wanted = (unsigned char)byte;
  size_t bound = labrys_object_size(block), place = 0, i;
  int found = 0;
  for (i = 0; i < size; i++) {
    int hit;
    if ((i >= bound || labrys_is_uninit(bytes[i])) && found)
      break;
    hit = bytes[i] == wanted;
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

WEAK void *memccpy(void *restrict to, const void *restrict from, int byte, size_t size) {
  void *place = memchr(from, byte, size);
  if (place == NULL) {
    memcpy(to, from, size);
    return NULL;
  }
  size = (size_t)((const char *)place - (const char *)from) + 1;
  return mempcpy(to, from, size);
}

WEAK void *__memccpy(void *to, const void *from, int byte, size_t size) {
  return memccpy(to, from, byte, size);
}

WEAK void *__mempcpy(void *restrict to, const void *restrict from, size_t size) {
  return mempcpy(to, from, size);
}

WEAK int __memcmpeq(const void *left, const void *right, size_t size) {
  return bcmp(left, right, size);
}

WEAK void *__rawmemchr(const void *block, int byte) { return rawmemchr(block, byte); }

WEAK void swab(const void *restrict from, void *restrict to, ssize_t size) {
  const char *a = from;
  char *b = to;
  ssize_t i;
  for (i = 0; i + 1 < size; i += 2) {
    char first = a[i], second = a[i + 1];
    b[i] = second;
    b[i + 1] = first;
  }
}

WEAK void *memfrob(void *block, size_t size) {
  unsigned char *bytes = block;
  size_t i;
  for (i = 0; i < size; i++)
    bytes[i] ^= 42;
  return block;
}

/* ---- The lowest bit that is set, counted from 1 ---- */

static int lowest_bit(unsigned long long value, int bits) {
  int place = 0, i;
  for (i = bits; i > 0; i--)
    place = (int)labrys_select((int)(value >> (i - 1) & 1), (unsigned long long)i,
                               (unsigned long long)place);
  return place;
}

WEAK int ffs(int value) { return lowest_bit((unsigned)value, 32); }

WEAK int ffsl(long value) { return lowest_bit((unsigned long)value, 64); }

WEAK int ffsll(long long value) { return lowest_bit((unsigned long long)value, 64); }

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

WEAK void __explicit_bzero_chk(void *to, size_t size, size_t room) {
  check_room(size, room);
  memset(to, 0, size);
}
