#include <stdio.h>
int compare(a, b) char a; int b; { if (a > b) return 1; else if (a < b && b) return -1; return a == 0 || b == 0; }
double scale(f, n) float f; int n; { while (n-- > 0 && f < 100) f *= 2; return f; }
noisy(x) { return x ? x > 3 : -1; }
int main() {
  int a;
  for (a = -3; a < 5; a++) printf("%d %g %d\n", compare(a, a / 2), scale(1.5, a), noisy(a));
}
