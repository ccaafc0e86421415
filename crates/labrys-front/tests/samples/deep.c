#include <stdio.h>
int many(int a, int b, int c, int d, int e) { return a && b && c || d && (e || a) && !(b || c) || !(a && (b || !(c && d))); }
int long_chain(int x) {
  return x == 1 || x == 2 || x == 4 || x == 8 || x == 16 || x == 32 || x == 64 || x == 128 || x == 256 || x == 512;
}
int in_call(int a, int b) { return printf("%s", a && b ? "x" : a || b ? "y" : "") > (a > 0 && b > 0); }
int mixed(int a, int b) { return (a && b) & (a || b) | (a && !b) ^ (a > 1); }
int main(void) {
  for (int i = 0; i < 32; i++) printf("%d %d\n", many(i & 1, i & 2, i & 4, i & 8, i & 16), mixed(i & 3, i >> 2));
  for (int i = 0; i < 600; i += 4) printf("%d", long_chain(i));
  for (int i = 0; i < 4; i++) printf("%d\n", in_call(i & 1, i & 2));
  return 0;
}
