// expect: covered l1 l2 l3 l5 l6
// expect: infeasible l4 l7
// Written by tests/oracle/labels.py --random.

#include "labels.h"
#include "labrys.h"

static int table[4] = {9, 8, 2, 5};
#ifndef BRUTE_FORCE
#define TABLE(i) table[i]
#endif

static int steps(int n, int m) {
  int count[2] = {0, m};
  while (n > 0 && count[0] < 6) {
    n -= 60;
    count[0]++;
  }
  return count[0] > 4 ? 10 / count[1] : count[0];
}

int main(void) {
  int a = labrys_uchar("a"), b = labrys_uchar("b");
  int x = 0, y = 1;
  x = ((b | 7) + (b ^ y));
  x = a;
  pc_label(((y - y) < (y & x) && (8 ^ x) > (4 | x)), 1, "l1");
  pc_label(((a * a) | (a + a)) != (x - 4), 2, "l2");
  for (int i = 0; i < 2; i++) {
    x = x + (9 * y) + i;
    pc_label(((b & y) ^ (9 & x)) != (y | x), 3, "l3");
    pc_label((TABLE(a) / TABLE(x)) > (x | 4), 4, "l4");
    pc_label(((x | a) < (b * b) || (a & b) != (x & 3)), 5, "l5");
  }
  if (((b | a) != (4 * y) || (a + b) >= (9 ^ a))) {
    y = ((x + a) + (y ^ y));
    pc_label((y >= a || y < (b - b)), 6, "l6");
    x = (y * b);
  }
  pc_label((TABLE(x) == (TABLE(y) == (x + y) ? y : b) ? (b & a) : (1 * b)) == x, 7, "l7");
  labrys_output("x", &x, sizeof x);
  return 0;
}
