#include <stddef.h>
#include <stdio.h>
struct s { int a[(1 && 2) ? 3 : 4]; char c; };
static int table[2 || 0] = {1 && 1};
_Static_assert(1 && sizeof(int) == 4, "int");
enum { YES = 1 && 1, NO = 1 && 0 };
int contexts(int a) {
  static int kept = 3 > 2 && 1;
  int array[(1 || 0) + 2];
  _Static_assert(YES || NO, "x");
  array[0] = a > 0 && a < 5;
  return kept + (int)offsetof(struct s, c) + (int)sizeof array + array[0] + table[0];
}
int bit_width(int a) { struct { int f : 1 + (2 && 3); } b = {a & 1}; return b.f || a; }
int main(void) {
  for (int a = -1; a < 7; a++) printf("%d %d\n", contexts(a), bit_width(a));
  return 0;
}
