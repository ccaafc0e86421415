#include <stdio.h>
int forever(int n) { int i = 0; for (;;) { if (i++ >= n) break; if (i % 3 == 0) continue; } while (1) { if (i-- < 0) break; } return i; }
int do_once(int n) { do { n++; } while (0); do n--; while (n > 5 && n % 2); return n; }
int no_condition(int n) { for (int i = 0;; i++) if (i * i > n) return i; }
int comma_steps(int n) { int s = 0; for (int i = 0, j = n; i < j; i++, j--) s += i * j; return s; }
int nested(int n) { int c = 0; for (int i = 0; i < n; i++) for (int j = i; j-- > 0 && c < 50;) c += j & 1 ? 2 : 1; while (c > 10 || c < -10) c /= 2; return c; }
int empty(int n) { while (n-- > 0); for (; n < 3; n++); return n; }
int pointers(const char *s) { const char *p = s; while (*p++) ; return (int)(p - s); }
int floats(double d) { int n = 0; while (d > 1.0 && n < 20) { d /= 2; n++; } if (d) n++; return n; }
int main(void) {
  for (int n = -2; n < 12; n++)
    printf("%d %d %d %d %d %d %d\n", forever(n), do_once(n), no_condition(n), comma_steps(n), nested(n), empty(n), floats(n * 1.5));
  printf("%d\n", pointers("hello"));
  return 0;
}
