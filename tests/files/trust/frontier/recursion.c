// arguments: --function start --proof-rules frontier --paths 400
// A function that calls itself: what it may change is not known behind the call.
static int deepest, steps;

static int down(int n) {
  steps++;
  if (n > deepest)
    deepest = n;
  if (n <= 0)
    return 1;
  int below = down(n - 1);
  if (below == 77) //@ true open
    return 3;
  return below + 1;
}

int start(int n) {
  int kept = n;
  deepest = 0, steps = 0;
  if (n > 20 || n < 2)
    return 0;
  int found = down(n);
  if (kept != n) //@ true infeasible, false covered
    return 1;
  if (kept < 2) //@ true infeasible, false covered
    return 2;
  if (deepest == 5) //@ true open, false open
    return 3;
  if (steps == 4) //@ true open
    return 4;
  return found;
}
