// arguments: --proof-rules states --paths 3000
// The same values in other places, at other times, and through pointers.
extern int labrys_int(const char *name);

static int mode;
static int other;
static int *chosen = &mode;
static int count;

static void set(int *where, int value) { *where = value; }

int main(void) {
  int turns = labrys_int("turns");
  int i;
  for (i = 0; i < turns && i < 7; i++) {
    int what = labrys_int("what");
    if (what == 1)
      chosen = &other;
    else if (what == 2)
      set(chosen, 7);
    else if (what == 3)
      count++;
    else if (what == 4)
      mode &= ~8;
  }
  if (mode == 7 && other == 7) { //@ true covered
    if (count > 4) //@ true infeasible, false covered
      return 2;
    if (count > 3) //@ true covered, false covered
      return 1;
  }
  if (mode == 5) //@ true infeasible, false covered
    return 3;
  if (other == 7) {
    if (chosen == &mode) //@ true infeasible, false covered
      return 4;
  }
  if (mode & 8) //@ true infeasible, false covered
    return 5;
  if (i > 7) //@ true infeasible, false covered
    return 6;
  return 0;
}
