// arguments: --function nested --proof-rules loops --paths 400
// A loop that is entered again begins with what the first pass has left.
int nested(int a, int b) {
  int left = 0, turns = 0;
  for (int i = 0; i < a; i++) {
    for (int j = i; j < b; j++) {
      if (j < i) //@ true infeasible, false covered
        return 1;
      if (left > 0) //@ true open
        turns++;
    }
    left = b;
    if (i >= a) //@ true infeasible, false covered
      return 2;
  }
  if (turns == 3) //@ true open
    return 3;
  if (turns < 0) { //@ true open
    if (turns > 5) //@ true infeasible
      return 4;
  }
  return 0;
}
