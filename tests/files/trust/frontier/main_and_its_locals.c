// arguments: --main --proof-rules frontier --paths 400 --trust all
// The state lies in a local of main, and functions get its address.
#include <labrys.h>

struct door {
  int open, locked, knocks;
};

static int use(struct door *door, int order) {
  if (order == 1 && !door->locked)
    door->open = 1;
  if (order == 2)
    door->open = 0;
  if (order == 3 && !door->open)
    door->locked = 1;
  if (order == 4)
    door->locked = 0;
  if (door->open)
    if (door->locked) //@ true infeasible, false covered
      return 1;
  return 0;
}

static void knock(struct door *door) { door->knocks = door->knocks == 3 ? 0 : door->knocks + 1; }

int main(void) {
  struct door front = {0, 0, 0};
  for (;;) {
    int order = labrys_int("order");
    if (order == 0)
      break;
    if (use(&front, order))
      return 1;
    if (order == 5)
      knock(&front);
    if (front.knocks == 3 && front.open) //@ true covered, false covered
      front.locked = 0;
    if (front.knocks < 0) //@ true infeasible, false covered
      return 2;
    if (front.knocks > 3) //@ true infeasible, false covered
      return 3;
  }
  return 0;
}
