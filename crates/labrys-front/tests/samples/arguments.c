#include <stdio.h>
#include <string.h>
static int both(int x, int y) { return 10 * x + y; }
int call(int a, int b) { return both(a && b, a || b); }
int index_of(int a, int b) { int t[4] = {1, 2, 3, 4}; return t[(a && b) + 2 * (a || b)]; }
int initialisers(int a, int b) { int x = a && b, y[2] = {a || b, a > b && b > 0}; return x + 3 * y[0] + 7 * y[1]; }
int assigned(int a, int b) { int x; x = a && b; x += a || b; x |= (a > 2 && b > 2) << 3; return x; }
int comma(int a, int b) { return (a++, a && b), a || b; }
int compound(int a, int b) { struct p { int x, y; } s = (struct p){.y = a || b, .x = a && b}; return s.x + 2 * s.y; }
int strings(const char *s, const char *t) { return !strcmp(s, t) && *s || !*t; }
int main(void) {
  for (int a = -1; a < 4; a++)
    for (int b = -1; b < 4; b++)
      printf("%d %d %d %d %d %d %d\n", call(a, b), index_of(a, b), initialisers(a, b), assigned(a, b), comma(a, b),
             compound(a, b), strings(a ? "x" : "", b ? "x" : ""));
  return 0;
}
