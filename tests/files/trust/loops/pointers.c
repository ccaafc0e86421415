// arguments: --function move --proof-rules loops --paths 400
// A loop that writes through a pointer changes what it leads to, whatever its name is.
int move(int n, int which) {
  int first = 0, second = 0, third = 0;
  int *at = which > 5 ? &first : &second;
  for (int i = 0; i < n; i++) {
    *at += 1;
    if (i == 3)
      at = &second;
    if (third != 0) //@ true infeasible, false covered
      return 9;
  }
  if (first == 2) //@ true open
    return 1;
  if (second == 6) //@ true open
    return 2;
  if (third == 1) //@ true infeasible, false covered
    return 3;
  return 0;
}
