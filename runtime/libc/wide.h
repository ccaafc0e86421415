/* wide.h: what the functions on wide characters share. */
#ifndef LABRYS_LIBC_WIDE_H
#define LABRYS_LIBC_WIDE_H

#include "engine.h"

typedef unsigned wint_t;

/* As large as glibc's mbstate_t; the contents are ours: bytes of an incomplete character. */
struct ShiftState {
  unsigned char count;
  char bytes[7];
};

/* Is the encoding of the current locale UTF-8, or ASCII? */
int labrys_is_utf8(void);

/* What the host's UTF-8 locale says about a character, which is pinned: its class by number, the
 * other case, or its width. Provided by the engine. */
enum { WIDE_LOWER_CASE = 32, WIDE_UPPER_CASE, WIDE_WIDTH };
int labrys_wide_property(unsigned c, int what);

#endif
