// arguments: --function fill --proof-rules loops --paths 400
// Elements that a symbolic index may have changed, and others.
int fill(int n, unsigned char step) {
  int a[4] = {0, 0, 0, 0};
  int beside = 3;
  for (int i = 0; i < n; i++) {
    a[(i + step) & 3] = i;
    if (beside != 3) //@ true infeasible, false covered
      return 7;
  }
  if (a[2] == 9) //@ true open
    return 1;
  if (a[1] > n) { //@ true open
    if (n > 0) //@ true infeasible
      return 2;
  }
  if (beside == 4) //@ true infeasible, false covered
    return 3;
  return 0;
}
