// arguments: --function run --proof-rules frontier --paths 400
// Flags that are set far away: one never, one only with another, one by a single input.
static int armed, fired, never;

static void arm(int in) {
  if (in == 4711)
    armed = 1;
}

static void fire(int in) {
  if (armed && in == 815)
    fired = 1;
}

int run(const int *in, int n) {
  armed = fired = never = 0;
  for (int i = 0; i < n; i++) {
    arm(in[i]);
    fire(in[i]);
    if (never) //@ true infeasible, false covered
      return 1;
  }
  if (fired) { //@ true open
    if (!armed) //@ true infeasible
      return 2;
  }
  if (armed > 1) //@ true infeasible, false covered
    return 3;
  return armed;
}
