// expect: covered fourth equal late
// expect: infeasible fifth
// expect: unknown past
// Labels in loops are passed many times; each passage counts, and none changes the loop.

#include "labels.h"
#include "labrys.h"

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b");
  int history[4], i, j, turns = 0;
  for (i = 0; i < 4; i++) {
    history[i] = a + i * b;
    pc_label(i == 3 && history[3] == 21, 1, "fourth");
    pc_label(i == 4, 2, "fifth");
    for (j = 0; j < 3; j++) {
      pc_label(2 * history[j] == history[i] && a > 3 && j != i, 3, "equal");
      if (history[i] > 500)
        turns++;
    }
    pc_label(history[i + 1] > 0, 4, "past");
    pc_label(turns == 3, 5, "late");
  }
  labrys_output("turns", &turns, sizeof turns);
  return 0;
}
