#include <stdio.h>
int dangling(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
int chain(int x) { if (x < 0) return -1; else if (x == 0) return 0; else if (x < 5) { x *= 2; } else for (; x > 7; x--) if (x == 9) break; else continue; return x; }
int unbraced(int n) { int s = 0; for (int i = 0; i < n; i++) if (i % 2) s += i; else while (s > 20) s -= 3; do if (s & 1) s++; else s += 2; while (s < n); return s; }
int jump(int n) { int s = 0; again: if (n > 0) { s += n--; goto again; } if (s > 100) goto out; else out: s++; return s; }
int labels(int n) { if (n) here: n--; if (n > 3) goto here; return n; }
int empty(int n) { if (n > 1) ; else if (n) { } else ; for (int i = 0; i < n; i++) ; return n; }
int main(void) {
  for (int a = -2; a < 14; a++) printf("%d %d %d %d %d %d\n", dangling(a, a & 1), chain(a), unbraced(a), jump(a), labels(a), empty(a));
  return 0;
}
