// arguments: --function run --proof-rules frontier --paths 200
// Where something is given back, another object may lie in its place: then nothing is said of allocated objects.
#include <stdlib.h>

int run(int in) {
  int *first = malloc(sizeof *first);
  if (!first)
    return -1;
  *first = 3;
  if (*first != 3) //@ true open, false covered
    return 1;
  free(first);
  int *second = calloc(1, sizeof *second);
  if (!second)
    return -1;
  int *chosen = in > 4 ? second : &in;
  if (*chosen == 0) //@ true covered, false covered
    return 2;
  return 0;
}
