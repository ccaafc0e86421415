// arguments: --function check --proof-rules memory
// Variables of a unit: a caller may have set them, a stub and a pointer may set them.
static int mode;
int shared;
static int never = 4;
static int hidden;
extern int ask(void);

void set_mode(int to) { mode = to; }
static void raise(void) { mode = 7; }
static int is_raised(void) { return mode == 7; }

int check(int x, int *p) {
  if (mode == 100) //@ true open, false covered
    return 1;
  if (shared == 3) //@ true open, false covered
    return 2;
  raise();
  if (!is_raised()) //@ true infeasible, false covered
    return 3;
  if (mode != 7) //@ true infeasible, false covered
    return 4;
  shared = 2;
  if (shared != 2) //@ true infeasible, false covered
    return 5;
  *p = x;
  if (shared != 2) //@ true open, false covered
    return 6;
  mode = 9;
  ask();
  if (mode != 9) //@ true open, false covered
    return 7;
  hidden = x ? 100 : 2000;
  if (hidden == 1000) //@ true infeasible, false covered
    return 8;
  return never;
}
