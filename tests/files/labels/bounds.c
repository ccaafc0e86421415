// expect: covered third far guarded sum
// expect: infeasible outside absent
// An index that leaves its array makes the label false; the path is not split on it.

#include "labels.h"
#include "labrys.h"

static int squares[5] = {0, 1, 4, 9, 16};

int main(void) {
  unsigned char i = labrys_uchar("i"), j = labrys_uchar("j");
  int copy[3] = {i, j, i ^ j}, result = 0;
  pc_label(squares[i] == 9, 1, "third");
  pc_label(squares[i] + copy[j] == 20, 2, "far");
  pc_label(i > 4 && squares[i] >= 0, 3, "outside");
  pc_label(squares[i] == 5, 4, "absent");
  pc_label(i < 5 && squares[i] == 16, 5, "guarded");
  pc_label(squares[i] == squares[j] + 7, 6, "sum");
  if (i < 3)
    result = copy[i];
  labrys_output("result", &result, sizeof result);
  return 0;
}
