#include <stdio.h>
#define SAFE_MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int maximum(int a, int b) { return SAFE_MAX(a, SAFE_MAX(b, 2)); }
int value(int a, int b) { int x = ({ int t = a && b; if (t) t += 2; else if (a) t--; t || b; }); return x; }
int condition(int a, int b) { if (({ int c = a; c > b; }) && a != 3) return 1; return a && ({ a || b; }); }
int loop(int n) { int s = 0; while (({ s += n; n--; n > 0; })) if (s > 10) break; return s; }
int main(void) {
  for (int a = -1; a < 5; a++)
    for (int b = -1; b < 4; b++) printf("%d %d %d %d\n", maximum(a, b), value(a, b), condition(a, b), loop(a));
  return 0;
}
