// arguments: --function roll --proof-rules loops --paths 400
// Structures that are copied as a whole, and unions.
#include <string.h>

struct box {
  int a, b;
};
union view {
  unsigned whole;
  unsigned char part[4];
};

int roll(int n, int in) {
  struct box now = {1, 2}, old = {0, 0};
  union view view = {0};
  for (int i = 0; i < n; i++) {
    memcpy(&old, &now, sizeof old);
    now = (struct box){old.b, old.a};
    view.part[i & 1] = (unsigned char)in;
    if (view.part[3] != 0) //@ true infeasible
      return 5;
  }
  if (old.a == 2) //@ true open
    return 1;
  if (now.a == 0) //@ true infeasible, false covered
    return 2;
  if (view.whole == 0x0909) //@ true open
    return 3;
  if (view.whole > 0xffff) //@ true infeasible
    return 4;
  return 0;
}
