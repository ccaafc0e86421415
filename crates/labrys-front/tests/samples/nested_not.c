#include <stdio.h>
int not_tree(int a, int b, int c) { return !(!(a && b) || !c) && !!a; }
int not_leaf(int a, int b) { if (!a) return 1; if (!(a > b)) return 2; if (!!b) return 3; return 0; }
int not_in_arithmetic(int a, int b) { if (!(a && b) == 1) return 1; return !a + !b; }
int main(void) {
  for (int a = -1; a < 3; a++)
    for (int b = -1; b < 3; b++)
      for (int c = 0; c < 2; c++) printf("%d %d %d\n", not_tree(a, b, c), not_leaf(a, b), not_in_arithmetic(a, b));
  return 0;
}
