#include <stdio.h>
int spread(int a,
           int b)
{
  if (a /* first */
      && // second
      b
      > 2)
    return
        1;
  return a
             ? b ||
                   a > 1
             : b; /* end */
}
int \
continued(int x) { return x > \
 3 && x < 9; }
#line 100 "other.c"
int moved(int x) { return x && x != 2; }
int main(void) {
  for (int a = 0; a < 12; a++) printf("%d %d %d\n", spread(a & 1, a), continued(a), moved(a));
  return 0;
}
