/* Measured by clang and gcc: the places of the branches are known by line and column. */
#include "measured.h"
#define IN_RANGE(a) ((a) > 0 && (a) < 100)

static int weigh(int x, char c) {
  int n = sign(x) - sign(x);
  if (x > 3 && c == 'a')
    n = 1;
  if (IN_RANGE(x))
    n += 2;
  if (x == 1000)
    abort();
  if (x == 1001)
    exit(4);
  return n;
}
