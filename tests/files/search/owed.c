// The first run is discarded by its assumption. `x > 5 is false` is then covered only by a
// candidate with nothing open ahead of it: it must stay for the sake of its beginning.
#include <labrys.h>

static int is_set(int y)
{
  if (y != 0)
    return 1;
  return 0;
}

int main(void)
{
  int z = labrys_int("z"), x = labrys_int("x"), y = labrys_int("y");
  int way = 0;
  if (z)
    return is_set(0) + is_set(1);
  if (x > 5)
    way = 1;
  else
    way = 2;
  labrys_assume(is_set(y) | (x == 100));
  return way;
}
