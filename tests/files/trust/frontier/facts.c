// arguments: --function scan --proof-rules frontier --paths 400
// What holds in all runs is a premise on the way back: neither the values of a table nor the paths are
// enough alone. Twice two is four, but so is twice a number that wraps.
static const unsigned char kind[256] = {
    ['a'] = 1, ['b'] = 2, ['c'] = 3, ['d'] = 3, ['e'] = 2, ['z'] = 1,
};

int scan(const unsigned char *text, int n) {
  int seen = 0, other = 0;
  unsigned char twice = 0;
  unsigned steps = 0;
  for (int i = 0; i < n; i++) {
    int k = kind[text[i]];
    if (k == 2)
      seen = 1;
    if (k == 3)
      other = 1;
    twice = (unsigned char)(k * 2);
    steps += 4;
    if (!seen && twice == 4) //@ all open
      return 1;
    if (twice == 4) { //@ true covered, false covered
      if (!seen) //@ true infeasible, false covered
        return 2;
      if (!other) //@ true covered
        return 3;
    }
    if (twice == 6) {
      if (seen) //@ all open
        return 4;
      if (!other) //@ true infeasible, false covered
        return 5;
    }
    if (steps == 4 * 2) {
      if (i == 0) //@ true infeasible, false covered
        return 6;
    }
  }
  return 0;
}
