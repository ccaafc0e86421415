// expect: flags --sym-stdin 4 --time 30s
// expect: branches 20 covered 15
// Seeks and puts back: a size in front, then as many bytes. What is put back is read again, and
// the bytes end right before the end is seen: five outcomes cannot be.
#include <stdio.h>

int main(void) {
  long start, end;
  int size, c, sum = 0, i;
  c = getchar();
  if (c == EOF)
    return 1;
  if (ungetc(c, stdin) != c)
    return 2;
  if (getchar() != c)
    return 3;
  size = c - '0';
  if (size < 0 || size > 3)
    return 4;
  start = ftell(stdin);
  if (start != 1)
    return 5;
  if (fseek(stdin, 0, SEEK_END) != 0)
    return 6;
  end = ftell(stdin);
  if (end - start != size)
    return 7;
  fseek(stdin, start, SEEK_SET);
  for (i = 0; i < size; i++)
    sum += getchar();
  printf("%d\n", sum > 300);
  return feof(stdin) ? 8 : 0;
}
