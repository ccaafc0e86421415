#include <stdio.h>
int nested(int a, int b) { return a == 1 ? b == 2 ? 3 : 4 : a > b ? 5 : 6; }
int in_condition(int a, int b) { if (a ? b : a > -2) return 1; return (a && b ? a : b) > 0; }
int chain(int x) { return x < 0 ? -1 : x == 0 ? 0 : x < 10 ? 1 : 2; }
double mixed(int a) { return a ? 1 : 2.5; }
const char *text(int a) { return a > 1 ? "many" : a ? "one" : 0; }
int void_branches(int a, int *p) { a > 1 ? (void)(*p = 1) : (void)(*p = 2); return *p; }
int main(void) {
  for (int a = -2; a < 4; a++) {
    const char *t = text(a);
    int z;
    for (int b = -1; b < 4; b++) printf("%d %d ", nested(a, b), in_condition(a, b));
    printf("%d %g %s %d\n", chain(a * 5), mixed(a), t ? t : "-", void_branches(a, &z));
  }
  return 0;
}
