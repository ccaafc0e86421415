// expect: covered left right deep
// expect: infeasible never
// A label is covered by one way only, which an assumption behind it leaves open: the first run
// from the label is discarded, and another way from it is not.

#include "labels.h"
#include "labrys.h"

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b");
  int sum = 0;
  pc_label(a > 100, 1, "left");
  pc_label(a < 50, 2, "right");
  pc_label(a == 7 && b > 9, 3, "never");
  pc_label(a == 9, 4, "deep");
  if (b > 3)
    sum += 2;
  if (b > 9)
    sum += 4;
  if (b % 2)
    sum += 1;
  labrys_assume(sum == 7 || sum == 3);
  labrys_assume(a != 7);
  labrys_output("sum", &sum, sizeof sum);
  return 0;
}
