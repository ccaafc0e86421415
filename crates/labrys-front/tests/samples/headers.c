#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include "header_part.h"
int words(const char *s) { int n = 0, in = 0; for (; *s; s++) { if (isalpha((unsigned char)*s)) { if (!in) n++; in = 1; } else in = 0; } return n; }
int use(int x) { return BOTH(clamp(x, 0, 5), x != 3) ? abs(x) : toupper('a' + clamp(x, 0, 3)); }
int main(void) {
  for (int x = -3; x < 9; x++) printf("%d\n", use(x));
  printf("%d\n", words("to be  or not"));
  return 0;
}
