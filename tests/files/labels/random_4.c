// expect: covered l2 l3 l4 l5 l7
// expect: infeasible l1 l6 l8
// Written by tests/oracle/labels.py --random.

#include "labels.h"
#include "labrys.h"

static int table[4] = {4, 1, 6, 7};
#ifndef BRUTE_FORCE
#define TABLE(i) table[i]
#endif

static int steps(int n, int m) {
  int count[2] = {0, m};
  while (n > 0 && count[0] < 6) {
    n -= 11;
    count[0]++;
  }
  return count[0] > 4 ? 10 / count[1] : count[0];
}

int main(void) {
  int a = labrys_uchar("a"), b = labrys_uchar("b");
  int x = 0, y = 1;
  pc_label(((x * a) * x) < x, 1, "l1");
  pc_label(((x - b) | a) >= (4 - 4), 2, "l2");
  for (int i = 0; i < 3; i++) {
    x = x + (b + a) + i;
    pc_label(((x & a) >= (x * 6) && (a | 4) >= (x ^ x)), 3, "l3");
    if (((6 | x) - x) == (x & a)) {
      pc_label(steps(((0 + x) > x ? a : b), (y & y)) < y, 4, "l4");
    } else {
      y = x;
      pc_label(TABLE((5 / y)) != (y - y), 5, "l5");
    }
    if ((a != (b ^ b) && (7 ^ a) > (4 + x))) {
      x = y;
      pc_label(TABLE((a | x)) < ((steps(y, b) == TABLE(b) ? a : x) < (7 | y) ? x : b), 6, "l6");
    }
  }
  pc_label(((b % b) ^ (x & a)) < (x + 0), 7, "l7");
  x = ((b + 7) * (b ^ 3));
  pc_label(TABLE((x ^ 5)) >= ((6 & a) > (5 & x) ? b : 7), 8, "l8");
  labrys_output("x", &x, sizeof x);
  return 0;
}
