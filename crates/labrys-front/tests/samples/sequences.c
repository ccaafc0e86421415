#include <stdio.h>
static int steps;
static int tick(int r) { steps = steps * 3 + r + 1; return r; }
int order(int a, int b) { return tick(a) && tick(b) || tick(!a); }
int effects(int a) { int i = 0, t[4] = {0}; t[i++] = a && i++ < 2; if (i++ == 1 || (t[i] = a)) i += 5; return i * 10 + t[0] + t[2]; }
int assign(int n) { int c; if ((c = n - 1) && (n = c)) return n; while ((c = tick(c)) > 3 && c-- > 0) ; return c; }
int twice(int x) { return (x > 0) == (x < 5) && (x & 1) == (x > 2 || x < -2); }
int main(void) {
  for (int a = -1; a < 7; a++) {
    int o = order(a & 1, a & 2), e = effects(a), n = assign(a);
    printf("%d %d %d %d %d\n", o, e, n, twice(a), steps);
  }
  return 0;
}
