// arguments: --main --proof-rules frontier --paths 400 --trust all
// What runs before main begins, behind its end, and once more inside of it.
#include <labrys.h>
#include <stdlib.h>

static int mode, left, turns, never;

static void behind(void) {
  if (left == 2) //@ all open
    mode = 0;
}

int main(void) {
  int again = labrys_int("again");
  turns++;
  if (turns > 1) //@ true covered, false covered
    return 0;
  if (mode == 3) //@ true infeasible, false covered
    return 1;
  if (atexit(behind))
    return 2;
  if (again == 1)
    left = 2;
  if (again == 2)
    return main();
  if (never != 0) //@ true infeasible, false covered
    return 3;
  return 0;
}
