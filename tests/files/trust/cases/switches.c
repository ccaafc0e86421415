// arguments: --proof-rules relations --paths 4000
// What a counter can hold depends on the state in which a switch looks at it. One state forgets to begin anew.
extern int labrys_int(const char *name);

enum dog { ASLEEP, AWAKE, BARKING };

static enum dog dog;
static int missed;

static void tick(int fed, int late) {
  switch (dog) {
  case ASLEEP:
    if (late)
      dog = AWAKE;
    break;
  case AWAKE:
    if (fed)
      missed = 0;
    else if (++missed >= 2)
      dog = BARKING;
    break;
  case BARKING:
    if (fed) {
      dog = AWAKE;
      if (!late)
        missed = 0;
    } else if (missed < 5) {
      missed++;
    }
    break;
  }
}

int main(void) {
  int turns;
  for (turns = 0; turns < 8; turns++) {
    tick(labrys_int("fed") == 1, labrys_int("late") == 1);
    if (dog == ASLEEP) //@ true covered, false covered
      if (missed > 0) //@ true infeasible, false covered
        return 1;
    if (dog == BARKING) //@ true covered, false covered
      if (missed < 2) //@ true infeasible, false covered
        return 2;
    if (dog == AWAKE) //@ true covered, false covered
      if (missed > 1) //@ true covered, false covered
        return 3;
    if (missed > 5) //@ true infeasible, false covered
      return 4;
  }
  return 0;
}
