// arguments: --proof-rules states --paths 3000
// Sets of counters grow to the bounds that the program sets at once, and what only goes through a place is
// not looked at again: what depends on it is.
extern int labrys_int(const char *name);

static int total;
static int level;
static int seen;

static void pass(int what) {
  int i;
  for (i = 0; i < 3; i++)
    if (what == i)
      seen = 1;
}

static int check(int value) {
  if (value == 1)
    return 1;
  if (value == 2)
    return -1;
  return 0;
}

int main(void) {
  int i;
  int steps = 0;
  int kind = 0;
  for (i = 0; i < 20; i++) {
    int what = labrys_int("what");
    int said = check(what);
    pass(what);
    if (said > 0 && total < 9)
      total++;
    if (said < 0 && level > -4)
      level--;
    if (steps != 4)
      steps++;
    if (what == 100)
      kind = 40;
    else if (what == 101 && kind == 40)
      kind = 50;
    else if (what == 102 && kind == 50)
      kind = 60;
    if (said < 0) {
      if (what != 2) //@ true infeasible, false covered
        return 1;
    }
    if (said > 1) //@ true infeasible, false covered
      return 2;
  }
  if (total > 9) //@ true infeasible, false covered
    return 3;
  if (total == 9) //@ true covered, false covered
    return 4;
  if (level < -4) //@ true infeasible, false covered
    return 5;
  if (level == -4) //@ true covered, false covered
    return 6;
  if (steps > 4) //@ true infeasible, false covered
    return 7;
  if (kind == 45) //@ true infeasible, false covered
    return 8;
  if (kind == 60) //@ true covered, false covered
    return 9;
  if (i != 20) //@ true infeasible, false covered
    return 10;
  return seen;
}
