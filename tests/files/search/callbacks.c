// Functions that only the library calls: a comparison, a handler of a signal, a handler at exit.
#include <labrys.h>
#include <signal.h>
#include <stdlib.h>

static int y;

static int compare(const void *a, const void *b)
{
  int left = *(const int *)a, right = *(const int *)b;
  if (left == 11 && right == 12)
    y++;
  return (left > right) - (left < right);
}

static void handle(int number)
{
  if (y == 40)
    y = number;
}

static void leave(void)
{
  if (y == 50)
    y = 0;
}

int main(void)
{
  int x = labrys_int("x"), v[2];
  y = labrys_int("y");
  labrys_symbolic(v, sizeof v, "v");
  atexit(leave);
  signal(SIGUSR1, handle);
  if (x == 1)
    qsort(v, 2, sizeof *v, compare);
  if (x == 2)
    raise(SIGUSR1);
  if (x == 3)
    exit(0);
  return 0;
}
