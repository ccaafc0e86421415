// expect: covered known later
// expect: unknown unknown_value half
// Values that nothing has set yet make a label false, whatever the machine finds there.

#include "labels.h"
#include "labrys.h"

int main(void) {
  unsigned char a = labrys_uchar("a");
  int value, other[2];
  other[0] = a;
  pc_label(value == 3 || value != 3, 1, "unknown_value");
  pc_label(other[0] == 7, 2, "known");
  pc_label(other[1] > other[0], 3, "half");
  value = a + 1;
  pc_label(value != a, 4, "later");
  labrys_output("value", &value, sizeof value);
  return 0;
}
