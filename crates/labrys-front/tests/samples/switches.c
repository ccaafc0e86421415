#include <stdio.h>
enum color { RED, GREEN = 5, BLUE };
int plain(int x) { switch (x) { case 1: return 10; case 2: x++; case 3: x += 2; break; default: x = 0; } return x; }
int no_default(int x) { int r = 0; switch (x) { case 1: r++; case -2: case 3: r += 2; break; case 7 ... 9: r = 5; } return r; }
int of_enum(enum color c) { switch (c) { case RED: return 1; case GREEN: return 2; case BLUE: return 3; } return 0; }
int wide(unsigned long x) { switch (x) { case 0xffffffffffffffffUL: return 1; case 0x100000000UL: return 2; } return 0; }
int small(signed char c) { switch (c) { case -1: return 1; case 'a': return 2; default: return 3; } }
int duff(int n) { int s = 0, i = (n + 3) / 4; if (n <= 0) return 0; switch (n % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; } while (--i > 0); } return s; }
int single(int x) { switch (x) case 4: x = 9; switch (x & 1) default: x++; return x; }
int declared(int x) { switch (x) { int y; case 1: { int z = x + 1; y = z; break; } case 2: y = 8; break; default: y = -1; break; } switch (x) { case 3: ; int k = 5; return k; } return x; }
int in_if(int x, int y) { switch (x) { case 0: if (y) case 1: x += 5; else case 2: x += 7; } return x; }
int nested(int x, int y) { switch (x) { case 1: switch (y) { case 1: return 11; case 2: break; } return 12; case 2: while (y-- > 0) { switch (y) { case 3: continue; default: break; } x += 3; } } return x; }
int vla(int n) { switch (n) { case 1: { int a[n]; a[0] = 3; return a[0]; } case 2: n += 1; } return n; }
int last_label(int x) { switch (x) { case 1: x = 7; break; case 2: ; } return x; }
int decided(int a, int b) { switch (a && b ? a : -1) { case 1: return 1; case -1: return 2; } return 3; }
int side(int *p) { switch ((*p)++) { case 1: case 2: return *p; } return -*p; }
int main(void) {
  for (int x = -3; x < 12; x++) {
    int s = x;
    printf("%d %d %d %d %d %d %d %d ", plain(x), no_default(x), of_enum(x), small(x), duff(x), single(x), declared(x), in_if(x, x & 1));
    printf("%d %d %d %d %d\n", nested(x & 3, x), vla(x), last_label(x), decided(x & 1, x & 2), side(&s));
  }
  printf("%d %d %d\n", wide(-1UL), wide(1UL << 32), wide(0));
  return 0;
}
