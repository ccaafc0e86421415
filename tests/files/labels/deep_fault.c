// expect: covered found depth
// expect: infeasible missing asserted
// A fault deep inside the functions that a predicate calls ends the predicate, not the program.

#include "labels.h"
#include "labrys.h"
#include <assert.h>

struct pair {
  int *left, *right;
};

static int inner(const struct pair *p, int i) {
  int scratch[4] = {1, 2, 3, 4};
  return *p->left / *p->right + scratch[i];
}

static int middle(struct pair p, int i) {
  int twice[2];
  twice[i & 1] = inner(&p, i);
  assert(i < 3);
  return twice[i & 1];
}

static int depth(int n) { return n > 0 ? 1 + depth(n - 1) : 0; }

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b"), i = labrys_uchar("i");
  int left = a, right = b, after;
  struct pair p = {a > 9 ? &left : 0, &right};
  pc_label(middle(p, i) == 13, 1, "found");
  pc_label(a <= 9 && middle(p, i) >= 0, 2, "missing");
  pc_label(i == 3 && middle(p, i) > 0, 3, "asserted");
  pc_label(b < 8 && depth(b) == 5, 4, "depth");
  after = p.left ? *p.left : -1;
  labrys_output("after", &after, sizeof after);
  return 0;
}
