// arguments: --function works --proof-rules loops --paths 600 --trust all
// What a counter can be depends on the state; elements of arrays depend on others with the same index.
extern int ask(void);
enum dog { ASLEEP, AWAKE, BARKING };
static enum dog dog;
static int missed;
static struct lamp { int kind, angle, power; } lamps[4];

static void tick(int fed) {
  switch (dog) {
  case ASLEEP:
    if (fed)
      dog = AWAKE;
    break;
  case AWAKE:
    missed = fed ? 0 : missed + 1;
    if (missed >= 2)
      dog = BARKING;
    if (missed > 2) //@ true infeasible, false covered
      missed = 0;
    break;
  case BARKING:
    if (missed < 2) //@ true infeasible, false covered
      missed = 9;
    if (fed) {
      missed = 0;
      dog = AWAKE;
    }
    break;
  }
}

int works(int n) {
  dog = ASLEEP;
  missed = 0;
  for (int i = 0; i < 4; i++)
    lamps[i].kind = lamps[i].angle = lamps[i].power = 0;
  while (n-- > 0) {
    int number = ask(), kind = ask(), angle = ask();
    tick(ask() > 0);
    if (number < 0 || number > 3 || kind < 1 || kind > 3)
      continue;
    if (kind == 2 && (angle < 0 || angle > 10))
      continue;
    lamps[number].kind = kind;
    lamps[number].angle = angle;
    if (kind == 3)
      lamps[number].power = 5;
  }
  for (int i = 0; i < 4; i++) {
    if (lamps[i].kind == 2 && lamps[i].angle > 10) //@ all open
      return 1;
    if (lamps[i].kind == 1 && lamps[i].angle > 10) //@ all open
      return 2;
    if (lamps[i].power == 5 && lamps[i].kind != 3) //@ all open
      return 3;
  }
  return 0;
}
