// What follows a longjmp lies behind none of the calls that are active before it.
#include <labrys.h>
#include <setjmp.h>

static jmp_buf back;

static void inner(int x)
{
  if (x == 7)
    longjmp(back, 1);
}

int main(void)
{
  int x = labrys_int("x"), y = labrys_int("y");
  if (setjmp(back) == 0) {
    inner(x);
    return 0;
  }
  if (y == x + 3)
    return 1;
  return 2;
}
