// arguments: --function heat --proof-rules frontier --paths 400
// Floats behind a loop: constants, their signs and comparisons, and what a value that is no number makes
// possible.
int heat(const int *in, int n, float x) {
  float limit = 10.0f + 10.0f, peak = 0.0f;
  int hot = 0;
  if (!(x < 5.0f) && !(x >= 5.0f)) //@ all covered
    return -1;
  for (int i = 0; i < n; i++) {
    if (in[i] > 5)
      limit = -limit;
    else if (in[i] == 3)
      limit = 40.0f;
    if (x > 50.0f) {
      peak = x;
      hot = 1;
    }
    if (limit == 30.0f) //@ true infeasible, false covered
      return 1;
    if (limit == -40.0f) //@ true covered, false covered
      return 2;
    if (hot && !(peak > 60.0f)) //@ all covered
      return 3;
    if (limit != limit) //@ true infeasible, false covered
      return 4;
  }
  if (hot) {
    if (peak <= 20.0f) //@ true infeasible
      return 5;
    if (peak < 70.0f) //@ true covered
      return 6;
  }
  return 0;
}
