// arguments: --function pair --proof-rules loops --paths 400
// Numbers that go on together, and such that do so only at first.
int pair(int n, int in) {
  int i = 0, j = 0, k = 0;
  while (i < n) {
    i++;
    j += 2;
    k++;
    if (in == 99 && i == 6)
      k += 2;
  }
  if (j == 2 * i) //@ true covered
    k += 0;
  if (i != k && in != 99) //@ all open
    return 1;
  if (k > i) //@ true open
    return 2;
  return 0;
}
