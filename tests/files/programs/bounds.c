// expect: flags --sym-stdin 3 --sym-args 0..1:2
// expect: branches 10 covered 7
// expect: unknown 3 bounds
// expect: stop exhausted
// What only the sizes make impossible is unknown, never infeasible.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int size = 0;
  while (getchar() != EOF)
    size++;
  if (size > 3)
    return 1;
  if (argc > 2)
    return 2;
  if (argc == 2 && strlen(argv[1]) > 2)
    return 3;
  return 0;
}
