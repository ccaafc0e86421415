#include <stdio.h>
enum { ZERO, ONE, BIG = 1 << 10 };
static const int LIMIT = 5;
static const int TABLE[3] = {0, 1};
static const unsigned char SMALL = 300;
int folded(int a) {
  if (1) a++;
  if (0 && a) a += 2;
  if (ONE) a++;
  if (BIG > 1000 && ONE + 1 == 2) a++;
  if (sizeof(int) > 4 || sizeof(long) == 8) a++;
  if (LIMIT > 3) a++;
  if (TABLE[1]) a++;
  if (TABLE[2]) a++;
  if ("abc"[1] == 'b') a++;
  if (SMALL == 44) a++;
  if ((char)200 < 0) a++;
  if (~0u >> 31 == 1) a++;
  if ((int)3.7 == 3) a++;
  if ('a' + 1 == 'b') a++;
  if (__builtin_constant_p(3)) a++;
  if (__builtin_expect(1, 0)) a++;
  if (sizeof(struct { char c; int i; }) == 8) a++;
  return a;
}
int partly(int a) {
  const int local = 7;
  if (a && LIMIT) a++;
  if (local > 3 || a) a++;
  if (a || 0) a++;
  if (a > local) a++;
  if (1 && a > 3) a--;
  while (a > 3 && 1) a--;
  return a ? 1 ? 2 : 3 : 4;
}
int not_folded(int a) {
  static int counter;
  volatile const int seen = 3;
  const int copy = a;
  if (3.5) a++;
  if ("x") a++;
  if (&a) a++;
  if (folded) a++;
  if (a * 0) a++;
  if (a == a) a++;
  if (seen) a++;
  if (copy) a++;
  if (counter++ && a) a++;
  return a;
}
int main(void) {
  for (int a = -3; a < 9; a++) printf("%d %d %d\n", folded(a), partly(a), not_folded(a));
  return 0;
}
