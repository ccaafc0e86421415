// arguments: --main --proof-rules memory
// What a function has written through a pointer, by what it returned.
int labrys_int(const char *name);

enum { FINE, BAD, LATE };
static int failure;

static int fail(int why) {
  if (failure == FINE)
    failure = why;
  return 0;
}

static int take(int *to) {
  int given = labrys_int("given");

  if (given == 77)
    return fail(LATE);
  *to = given;
  return 1;
}

static int take_range(int *to, int low, int high) {
  if (!take(to))
    return 0;
  if (*to < low || *to > high)
    return fail(BAD);
  return 1;
}

static int low, high;

static int run(void) {
  int local;

  if (!take_range(&local, 1, 5))
    return 0;
  if (local > 5) //@ true infeasible, false covered
    return 3;
  if (local == 5) //@ all covered
    return 4;
  if (!take_range(&low, 10, 20) || !take_range(&high, 30, 40))
    return 0;
  if (low > 20) //@ true infeasible, false covered
    return 5;
  if (high < 30) //@ true infeasible, false covered
    return 6;
  if (low == 10) //@ all covered
    return 7;
  take_range(&low, 0, 9);
  if (low > 9) //@ all covered
    return 8;
  return 1;
}

int main(void) {
  int ok = run();

  if (ok == 1 && failure != FINE) //@ all covered
    return 2;
  if (!ok && //@ all covered
      failure == FINE) //@ true infeasible, false covered
    return 3;
  return 0;
}
