// arguments: --function run --proof-rules relations --paths 400
// Counters that go along with each other, and strides, through loops.
int run(int n, unsigned char m, int p) {
  int i = 0, j = 10, k = 0, sum = 0;
  while (i < 10) {
    if (i + j != 10) //@ true infeasible, false covered
      return 1;
    i++;
    j--;
  }
  for (k = 0; k < 100; k += 3) {
    if (k == 50) //@ true infeasible, false covered
      return 2;
    if (k == 51) //@ all covered
      sum++;
  }
  if (k != 102) //@ true infeasible, false covered
    return 3;
  int low = 0, high = m;
  while (low < high) {
    if (low > m) //@ true infeasible, false covered
      return 4;
    low++;
    if (low > high) //@ true infeasible, false covered
      return 5;
    high--;
    if (low > high) //@ all covered
      sum++;
  }
  for (int q = 0; q < n; q += 2) {
    if (q > n) //@ true infeasible, false covered
      return 6;
    if (q == 5) //@ true open, false covered
      sum++;
    if (sum > 3)
      break;
  }
  for (unsigned char step = 0; step != 250; step += 3)
    if (step % 3 == 1) //@ all covered
      sum++;
  if (p > 0 && p % 4 == 1) {
    if (p == 7) //@ true infeasible, false covered
      return 7;
    if (p == 9) //@ all covered
      return 8;
    if (p % 2 == 0) //@ true infeasible, false covered
      return 9;
  }
  return sum;
}
