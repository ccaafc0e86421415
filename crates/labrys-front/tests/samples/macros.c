#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define IN(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
#define CHECK(c, r) do { if (c) return r; } while (0)
#define LIMIT 3
#define EACH(i, n) for (int i = 0; i < (n); i++)
int maxima(int a, int b, int c) { return MAX(a, MAX(b, c)); }
int ranges(int x) { CHECK(IN(x, 0, LIMIT), 1); CHECK(!IN(x, -5, 5) || x == LIMIT + 1, 2); return 0; }
int loops(int n) { int s = 0; EACH(i, n) { EACH(j, i) s += IN(i, j,
    LIMIT); } return s; }
int main(void) {
  for (int a = -7; a < 8; a++) printf("%d %d %d\n", maxima(a, -a, a / 2), ranges(a), loops(a));
  return 0;
}
