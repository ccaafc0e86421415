// expect: covered plain
// expect: unknown counted allocated
// A predicate that changes the program is none: the engine leaves the program alone, and proves
// nothing about the label.

#include "labels.h"
#include "labrys.h"
#include <stdlib.h>

static int calls;

static int counted(int a) {
  calls++;
  return a * a == 3;
}

static int allocated(int a) {
  int *p = malloc(sizeof *p);
  int result = p && a * a == 3;
  free(p);
  return result;
}

int main(void) {
  unsigned char a = labrys_uchar("a");
  int result = a > 9;
  pc_label(counted(a), 1, "counted");
  pc_label(allocated(a), 2, "allocated");
  pc_label(a == 77, 3, "plain");
  labrys_output("result", &result, sizeof result);
  return 0;
}
