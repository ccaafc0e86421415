#include <stdio.h>
struct bits { unsigned a : 3; int b : 4; };
static int calls;
static int count(int x) { calls++; return x; }
int plain(int a, int b) { return a ?: b; }
int chained(int a, int b, int c) { return a ?: b ? : c ?: 9; }
int once(int a) { return count(a) ?: count(a + 5); }
const char *pointer(const char *s) { return s ?: "none"; }
int field(struct bits s) { return s.a ?: s.b; }
double floating(double d, int i) { return d ?: i; }
int in_condition(int a, int b) { if (a ?: b) return 1; return (a > 1 ?: b && a) + 1; }
int main(void) {
  for (int a = -2; a < 3; a++)
    for (int b = -1; b < 2; b++) {
      struct bits s = {a & 7, b};
      printf("%d %d %d %s %d %g %d\n", plain(a, b), chained(a, b, a & 1), once(b), pointer(a ? "s" : 0), field(s), floating(a * 0.5, b), in_condition(a, b));
    }
  printf("%d\n", calls);
  return 0;
}
