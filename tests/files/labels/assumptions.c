// expect: covered even again small
// expect: infeasible odd large
// An assumption that follows a label may ask for another input, or end the path: then the label
// must hold for an input that survives.

#include "labels.h"
#include "labrys.h"

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b");
  int i, sum = 0;
  pc_label(a % 2 == 0, 1, "even");
  pc_label(a % 2 == 1, 2, "odd");
  pc_label(b > 50, 3, "large");
  pc_label(b < 50, 4, "small");
  for (i = 0; i < 3; i++) {
    pc_label((i != 1) == (a == 0), 5, "again");
    sum += a * i;
  }
  labrys_assume(a % 2 == 0 && a > 3);
  labrys_assume(b <= 50);
  labrys_output("sum", &sum, sizeof sum);
  return 0;
}
