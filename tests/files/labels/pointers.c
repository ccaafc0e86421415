// expect: covered node_three list_two null
// expect: infeasible node_four null_read freed dangling
// Pointers that may be null, freed or out of scope: their labels are false there, and the program
// goes on.

#include "labels.h"
#include "labrys.h"
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static int *out_of_scope(void) {
  int local = 3;
  int *p = &local;
  return p;
}

int main(void) {
  unsigned char a = labrys_uchar("a"), b = labrys_uchar("b");
  struct node second = {b, 0}, first = {a, a > 7 ? &second : 0};
  struct node *p = b > 3 ? &first : 0;
  int *freed = malloc(sizeof *freed);
  int *dangling = out_of_scope(), sum = 0;
  if (!freed)
    return 1;
  *freed = 5;
  free(freed);
  pc_label(p->value == 3, 1, "node_three");
  pc_label(p->value == 3 && b < 3, 2, "node_four");
  pc_label(p->next->value == 2 + 2, 3, "list_two");
  pc_label(p == 0, 4, "null");
  pc_label(p == 0 && p->value >= 0, 5, "null_read");
  pc_label(*freed == 5, 6, "freed");
  pc_label(*dangling == 3, 7, "dangling");
  if (p && p->next)
    sum = p->next->value;
  labrys_output("sum", &sum, sizeof sum);
  return 0;
}
