/* wide.c: multibyte and wide characters of the current locale: C, or UTF-8 once the program has
 * chosen it. */
#include "engine.h"

size_t labrys_wide_to_bytes(char *to, wchar_t c) {
  if ((unsigned)c > 127)
    return (size_t)-1;
  *to = (char)c;
  return 1;
}
