/* Parallel copies with a cycle: a and b change places each turn. */
int swap(int n, int a, int b) {
  while (n-- > 0) {
    int t = a;
    a = b;
    b = t;
  }
  return a - b;
}
