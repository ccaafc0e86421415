// Section V.D of the paper on coverage structures (docs/papers.md): the last branch needs four
// elements equal to 3, which no single condition shows.
#include <labrys.h>

static int loop(int v[6], int x)
{
  int i;
  if (x == 2) {
    for (i = 0; i < 6; i++)
      if (v[i] == 3)
        x++;
    if (x == 6)
      return 1;
  }
  return 0;
}

int main(void)
{
  int v[6];
  int x = labrys_int("x");
  labrys_symbolic(v, sizeof v, "v");
  return loop(v, x);
}
