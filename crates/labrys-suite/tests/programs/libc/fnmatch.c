/* fnmatch.c: shell patterns on random texts. */
#include "check.h"
#include <fnmatch.h>

MODEL(fnmatch);

void check_patterns(void) {
  static const char *const fixed[] = {"[[:alpha:]]*", "[!a-c]?", "*/[^.]*", "[]a]", "[a-]b", "\\*", "[\\]]", "[[:digit:]a]*",
                                      "a*b*", "*.*", ".*", "?*", "[a", "[!]x]", "[[.a.]-c]", "[[:none:]]"};
  int flags = (int)below(32);
  char *pattern = below(2) ? copy_of(0, fixed[below(16)]) : text(0, below(6), "ab*?[]-!.\\/");
  char *subject = text(1, below(6), "abAB./*]-");
  int x = model_fnmatch(pattern, subject, flags), y = fnmatch(pattern, subject, flags);
  CHECK(x == y, "fnmatch(\"%s\", \"%s\", %d): %d %d", pattern, subject, flags, x, y);
}
