// expect: covered inside
// expect: infeasible before behind
// Predicates that leave an array: natively they read what lies beside it, which proves nothing,
// also for tests whose path was found again from its input.

#include "labels.h"
#include "labrys.h"

int main(void) {
  struct {
    int before[4], middle[4], behind[4];
  } three = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  int *heap[40], sum = 0;
  unsigned char x = labrys_uchar("x");
  for (int i = 0; i < 40; i++)
    heap[i] = &three.middle[i & 3];
  for (int i = 0; i < 40; i++) {
    pc_label(heap[i] != heap[-i - 1], 1, "before");
    pc_label(heap[i] != heap[i + 40], 2, "behind");
    pc_label(*heap[i] == 8 && x == 3, 3, "inside");
    sum += *heap[i];
  }
  if (x > 5)
    sum += 1;
  if (x > 100)
    sum += 2;
  if (x & 1)
    sum += 4;
  labrys_output("sum", &sum, sizeof sum);
  return 0;
}
