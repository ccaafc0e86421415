// A form with many fields that are read one after the other. What the first fields were is asked for only
// at the end, behind all the others: states that an open branch has asked for are carried there first.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>

enum meal { NO_MEAL, MEAT, FISH, VEGAN, HALAL, KOSHER };
enum seat { NO_SEAT, WINDOW, AISLE, EXIT_ROW, LOUNGE };

static struct form {
  enum meal meal;
  enum seat seat;
  int bags;
  int child;
} form;

static int field(const char *name, int most)
{
  int value = labrys_int(name);

  return value >= 0 && value <= most ? value : -1;
}

/* Four digits one after the other: only one of ten thousand inputs has them. */
static int confirmed(const char *name, int wanted)
{
  int sum = 0;

  for (int i = 0; i < 4; i++) {
    int digit = labrys_int(name);
    if (digit < 0 || digit > 9)
      return 0;
    if (digit == wanted % 10)
      sum++;
    wanted /= 10;
  }
  return sum == 4;
}

static int read_meal(void)
{
  switch (labrys_int("meal")) {
  case 10: form.meal = MEAT; break;
  case 20: form.meal = FISH; break;
  case 30: form.meal = VEGAN; break;
  case 40: form.meal = HALAL; break;
  case 50: form.meal = KOSHER; break;
  default: return 0;
  }
  return 1;
}

static int read_seat(void)
{
  switch (labrys_int("seat")) {
  case 3: form.seat = WINDOW; break;
  case 5: form.seat = AISLE; break;
  case 7: form.seat = EXIT_ROW; break;
  case 9: form.seat = LOUNGE; break;
  default: return 0;
  }
  return 1;
}

int main(void)
{
  if (!read_meal() || !confirmed("a", 1234))
    return 1;
  if (!read_seat() || !confirmed("b", 4567))
    return 2;
  form.child = labrys_int("child") == 1;
  if (!confirmed("c", 7890) || !confirmed("d", 3210) || !confirmed("g", 1111))
    return 3;
  form.bags = field("bags", 3);
  if (form.bags < 0 || !confirmed("e", 6543) || !confirmed("f", 9876) || !confirmed("h", 2468))
    return 4;
  if (form.meal == KOSHER && form.seat == LOUNGE)
    return 5;
  if (form.child && form.seat == EXIT_ROW)
    return 6;
  if (form.bags == 3 && form.meal == HALAL)
    return 7;
  switch (form.seat) {
  case WINDOW: return 8;
  case AISLE: return 9;
  default: return 0;
  }
}
