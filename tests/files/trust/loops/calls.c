// arguments: --function run --proof-rules loops --paths 400 --trust all
// Flags that functions set far away, and a variable that functions without a body may change.
extern int ask(int *where);
static int mode, seen, hidden;

static void step(int in) {
  if (in == 7)
    seen++;
  if (seen == 4)
    mode = 2;
}

int run(int n) {
  int told = 0;
  mode = 0, seen = 0, hidden = 0;
  while (n-- > 0) {
    step(ask(&told));
    if (mode == 1) //@ true infeasible, false covered
      return 1;
    if (told == 8) //@ true open
      return 2;
    if (hidden == 1) //@ true infeasible, false covered
      return 3;
  }
  if (mode == 2) //@ true open
    return 4;
  return 0;
}
