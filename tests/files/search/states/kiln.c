// A kiln that is heated step by step: the controller is a state machine on the stack of main, its heat is
// a counter that every step changes, and glaze may be added only in one phase. The last phases ask for
// what was done many steps before.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>

enum phase { COLD, DRYING, FIRING, GLAZING, COOLING };

struct kiln {
  enum phase phase;
  int heat;
  int vents;
  int glazed;
};

static int step(struct kiln *kiln, int order)
{
  switch (kiln->phase) {
  case COLD:
    if (order == 11)
      kiln->phase = DRYING;
    break;
  case DRYING:
    if (order == 12) {
      kiln->heat++;
      if (kiln->heat == 3 && kiln->vents)
        kiln->phase = FIRING;
    } else if (order == 13) {
      kiln->vents = !kiln->vents;
    }
    break;
  case FIRING:
    if (order == 12)
      kiln->heat++;
    else if (order == 14 && kiln->heat == 5 && !kiln->vents)
      kiln->phase = GLAZING;
    else if (order == 13)
      kiln->vents = !kiln->vents;
    break;
  case GLAZING:
    if (order == 15)
      kiln->glazed++;
    else if (order == 16)
      kiln->phase = COOLING;
    break;
  default:
    if (kiln->glazed == 2)
      return 1;
    if (kiln->vents)
      kiln->heat--;
    if (kiln->heat == 3)
      return 2;
    if (order == 13)
      kiln->vents = !kiln->vents;
    break;
  }
  return 0;
}

int main(void)
{
  struct kiln kiln = {COLD, 0, 0, 0};
  int n;
  for (n = 0; n < 20; n++) {
    int order = labrys_int("order");
    if (order == 0)
      break;
    if (step(&kiln, order))
      return 1;
  }
  return 0;
}
