// expect: covered l4 l5 l6 l7
// expect: infeasible l1 l2 l3
// Written by tests/oracle/labels.py --random.

#include "labels.h"
#include "labrys.h"

static int table[5] = {5, 8, 0, 7, 3};
#ifndef BRUTE_FORCE
#define TABLE(i) table[i]
#endif

static int steps(int n, int m) {
  int count[2] = {0, m};
  while (n > 0 && count[0] < 6) {
    n -= 43;
    count[0]++;
  }
  return count[0] > 4 ? 10 / count[1] : count[0];
}

int main(void) {
  int a = labrys_uchar("a"), b = labrys_uchar("b");
  int x = 0, y = 1;
  if (((1 * y) <= b && y == a)) {
    if (((b * y) != b && (9 * a) != (b * a))) {
      pc_label((TABLE(y) & (y * 5)) > x, 1, "l1");
      pc_label(8 == TABLE(4), 2, "l2");
      pc_label(((b | 1) != (x - y) || (x - 2) == (b & a)), 3, "l3");
    } else {
      y = ((x & a) * (y & a));
      y = 5;
      y = ((x ^ x) | y);
    }
  }
  pc_label(((x * y) < (x | b) || y != (b ^ 9)), 4, "l4");
  for (int i = 0; i < 3; i++) {
    x = x + (a | y) + i;
    pc_label((y | (a - y)) != x, 5, "l5");
    x = (a | (a + x));
    x = ((x | y) - (b - y));
  }
  pc_label(x >= steps(x, y), 6, "l6");
  x = ((b & x) + (y + y));
  y = b;
  pc_label((x == (x % y) ? steps(a, b) : (7 ^ 8)) == TABLE(b), 7, "l7");
  labrys_output("x", &x, sizeof x);
  return 0;
}
