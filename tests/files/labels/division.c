// expect: covered three remainder most shift guarded
// expect: infeasible by_zero least least_remainder too_far
// Division by zero, the one that overflows, shifts that go too far.

#include "labels.h"
#include "labrys.h"
#include <limits.h>

int main(void) {
  int a = labrys_int("a"), b = labrys_int("b"), quotient = 0;
  pc_label(a / b == 3, 1, "three");
  pc_label(a % b == 5, 2, "remainder");
  pc_label(a == INT_MIN && b == -2 && a / b > 1000000000, 3, "most");
  pc_label(b == 0 && a / b != a, 4, "by_zero");
  pc_label(a == INT_MIN && b == -1 && (a / b == a || a / b != a), 5, "least");
  pc_label(a == INT_MIN && b == -1 && a % b == 0, 6, "least_remainder");
  pc_label((1 << b) == 64, 7, "shift");
  pc_label((b > 40 || b < -3) && (1 << b) >= INT_MIN, 8, "too_far");
  if (b > 1)
    quotient = a / b;
  pc_label(b != 0 && quotient == 7, 9, "guarded");
  labrys_output("quotient", &quotient, sizeof quotient);
  return 0;
}
