// arguments: --function level --proof-rules loops --paths 400
// Relations with a parameter and a global variable that hold into a called function.
static int limit;

static int clip(int at, int most) {
  if (at > most) //@ true infeasible, false covered
    return most;
  if (at > limit) //@ true open
    return limit;
  return at;
}

int level(int most, int start) {
  int sum = 0;
  limit = start;
  if (most < 0 || most > 1000)
    return -1;
  for (int at = 0; at <= most; at++) {
    sum += clip(at, most);
    if (at == 300)
      limit = 5;
  }
  if (limit == 5 && start != 5) //@ all open
    return sum;
  return 0;
}
