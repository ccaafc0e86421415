// A lock with three dials that remember how they were turned. The bolt moves only if each dial has been
// set, in any order; turning a dial too far resets another one. The branches of the bolt ask for a state
// that many turns build up, and no branch on the way is new.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>

enum dial { LOOSE, HALF, SET, JAMMED };

static enum dial dials[3];

static void turn(int n, int amount)
{
  switch (dials[n]) {
  case LOOSE:
    if (amount == 30 + n)
      dials[n] = HALF;
    break;
  case HALF:
    if (amount == 60 + n)
      dials[n] = SET;
    else if (amount > 90)
      dials[n] = LOOSE;
    break;
  case SET:
    if (amount > 90) {
      dials[n] = JAMMED;
      dials[(n + 1) % 3] = LOOSE;
    }
    break;
  default:
    if (amount == 0)
      dials[n] = LOOSE;
    break;
  }
}

static int bolt(void)
{
  if (dials[0] == SET && dials[1] == SET && dials[2] == SET) {
    return 3;
  }
  if (dials[0] == JAMMED && dials[1] == JAMMED)
    return 4;
  return 0;
}

int main(void)
{
  int n;
  for (n = 0; n < 14; n++) {
    int what = labrys_int("what");
    if (what == 1)
      turn(0, labrys_int("amount"));
    else if (what == 2)
      turn(1, labrys_int("amount"));
    else if (what == 3)
      turn(2, labrys_int("amount"));
    else if (what == 4)
      return bolt();
    else
      break;
  }
  return 0;
}
