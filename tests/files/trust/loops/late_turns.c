// arguments: --function late --proof-rules loops --paths 400
// What only late turns do is no relation that holds in all of them.
int late(int n, int a) {
  int x = 0, y = 0;
  unsigned char small = 250;
  for (int i = 0; i < n; i++) {
    if (i == 40) //@ true open
      x = 1;
    if (a == 77 && i > 2)
      y = 5;
    small++;
    if (small == 3) //@ true open
      x = 2;
    if (i < 0) //@ true infeasible, false covered
      x = 3;
  }
  if (x == 1) //@ true open
    return 1;
  if (y == 5) //@ true open
    return 2;
  if (x == 3) //@ true infeasible
    return 3;
  if (y == 4) //@ true infeasible
    return 4;
  return 0;
}
