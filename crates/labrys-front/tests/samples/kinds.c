#include <stdbool.h>
#include <stdio.h>
#include <complex.h>
bool boolean(bool a, bool b) { bool c = a && !b; return c || (a ^ b); }
int pointers(int *p, char *s) { if (p && *p) return 1; if (!s || !*s) return 2; return p ? 3 : 4; }
int wide(unsigned long long x, __int128 y) { if (x) return 1; if (x >> 63) return 2; return y && x < 3; }
int single(float f, double d, long double l) { return f && d || l; }
int complex_number(double _Complex z) { if (z) return 1; return 0; }
int small(unsigned char c, signed char s) { return c > 200 && s < -100 ? c + s : c - s; }
struct bits { unsigned a : 1, b : 2; _Bool c : 1; };
int bitfields(struct bits b) { return b.a && (b.b || b.c); }
int functions(int (*f)(int)) { return f && f(3) > 2; }
static int identity(int x) { return x; }
int main(void) {
  int x = 0;
  for (int a = 0; a < 4; a++) {
    x = a;
    struct bits b = {a & 1, a, a > 2};
    printf("%d %d %d %d %d %d %d %d\n", boolean(a & 1, a & 2), pointers(a ? &x : 0, a > 1 ? "s" : ""), wide(a - 1, a), single(a & 1, a & 2, a),
           complex_number(a * I), small(a * 80, -a * 40), bitfields(b), functions(a ? identity : 0));
  }
  return 0;
}
