// expect: covered choice branchy both switched looped
// expect: infeasible neither never
// Labels that hold only where the predicate goes another way than with the first input.

#include "labels.h"
#include "labrys.h"

static int branchy(int n) {
  if (n > 100) {
    if (n == 177)
      return 1;
    return 2;
  }
  return 0;
}

static int switched(int n) {
  switch (n) {
  case 3:
    return 30;
  case 70:
  case 71:
    return 7;
  default:
    return 0;
  }
}

static int looped(int n) {
  int digits[3] = {0, 0, 0}, i;
  for (i = 0; i < 3; i++) {
    if (n > 40 * i)
      digits[i] = i + 1;
  }
  return digits[0] + 10 * digits[1] + 100 * digits[2];
}

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b");
  int result = a + b;
  pc_label((a > 200 ? b + 1 : 0) == 5, 1, "choice");
  pc_label(branchy(a) == 1, 2, "branchy");
  pc_label((branchy(a) == 2) & (branchy(b) == 1), 3, "both");
  pc_label(switched(a) == 7 && switched(b) == 30, 4, "switched");
  pc_label(looped(b) == 321, 5, "looped");
  pc_label((a > 200 ? b & 6 : 4) == 5, 6, "neither");
  pc_label(branchy(a) == 1 && a != 177, 7, "never");
  labrys_output("result", &result, sizeof result);
  return 0;
}
