#include <stdio.h>
#define NAME(x) _Generic((x), int: (x) && 1, double: (x) > 0.5 || (x) < -0.5, default: 0)
int chosen(int a, double d) { return NAME(a) + 2 * NAME(d); }
int main(void) {
  for (int a = -1; a < 3; a++) printf("%d\n", chosen(a, a * 0.3));
  return 0;
}
