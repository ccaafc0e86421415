// Functions through a table, computed jumps, and calls that come back to where they began.
#include <labrys.h>

static int deep(int n, int x);

static int first(int x) { return x == 21 ? 1 : 0; }
static int second(int x) { return x == 22 ? 1 : 0; }
static int (*const table[2])(int) = {first, second};

static int deep(int n, int x)
{
  if (n == 0)
    return x == 23;
  return deep(n - 1, x) + (x == 24 ? 1 : 0);
}

int main(void)
{
  static void *const places[2] = {&&one, &&two};
  unsigned k = labrys_uint("k");
  int x = labrys_int("x");
  labrys_assume(k < 2);
  if (table[k](x))
    return 1;
  goto *places[k];
one:
  if (deep(2, x))
    return 2;
two:
  if (x == 25)
    return 3;
  return 0;
}
