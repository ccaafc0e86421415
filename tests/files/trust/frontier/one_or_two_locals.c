// arguments: --main --proof-rules frontier --paths 400 --trust all
// Functions get the addresses of locals of main, which may be the same.
#include <labrys.h>

struct door {
  int open, locked;
};

static int pass(struct door *from, struct door *to) {
  from->open = 0;
  to->open = 1;
  if (from->open) //@ true covered, false covered
    return 1;
  if (!to->open) //@ true open, false covered
    return 2;
  return 0;
}

static int apart(struct door *from, struct door *to) {
  from->open = 0;
  to->open = 1;
  if (from->open) //@ true infeasible, false covered
    return 1;
  return 0;
}

// The second of two that lie one behind the other.
static int next(struct door *doors) {
  doors[1].locked = 5;
  if (doors->locked == 5) //@ true covered, false covered
    return 1;
  return 0;
}

int main(void) {
  struct door front = {0, 0}, back = {0, 0}, row[3] = {{0, 0}, {0, 0}, {0, 0}};
  int order = labrys_int("order");
  int at = labrys_int("place") == 2;
  if (pass(&front, order == 5 ? &back : &front))
    return 1;
  if (apart(&front, &back))
    return 2;
  if (next(row + at) || next(row + !at))
    return 3;
  return 0;
}
