// arguments: --proof-rules loops --paths 3000
// Variables that are kept at the number of elements in some state, and loops that count them anew.
extern int labrys_int(const char *name);

#define LAMPS 5

static struct lamp {
  int broken;
  int age;
} lamps[LAMPS];
static int broken;
static int careless;
static int used;
static int wrong;

static void check(void) {
  int count = 0;
  int twice = 0;
  for (int i = 0; i < used; i++) {
    if (lamps[i].broken)
      count++;
    if (lamps[i].age == 7)
      twice++;
  }
  if (count != broken) //@ true infeasible, false covered
    wrong = 1;
  if (broken > used) //@ true infeasible, false covered
    wrong = 1;
  if (count != careless) //@ true covered, false covered
    wrong = 1;
  if (twice != broken) //@ true covered, false covered
    wrong = 1;
}

int main(void) {
  used = labrys_int("used");
  if (used < 1 || used > LAMPS)
    return 1;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    int i = labrys_int("lamp");
    if (i < 0 || i >= used)
      continue;
    lamps[i].age = labrys_int("age");
    if (lamps[i].age > 100) {
      if (!lamps[i].broken) {
        lamps[i].broken = 1;
        broken++;
        careless++;
      }
    } else if (lamps[i].broken) {
      lamps[i].broken = 0;
      broken--;
      if (lamps[i].age != 77)
        careless--;
    }
    check();
  }
  return 0;
}
