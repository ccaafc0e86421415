// arguments: --proof-rules relations --paths 4000
// Members of the same element of an array exclude each other. One member is written again later, without
// the check.
extern int labrys_int(const char *name);

enum kind { NONE, SPOT, LASER };

static struct lamp {
  enum kind kind;
  int angle;
  int power;
  int mode;
} lamp[3];

static int set_lamp(int number, int kind, int angle) {
  struct lamp *it = &lamp[number];
  if (it->kind != NONE)
    return 0;
  if (kind < SPOT || kind > LASER || angle < 1 || angle > 90)
    return 0;
  it->kind = kind;
  it->angle = angle;
  if (it->kind == LASER && it->angle > 10) {
    it->kind = NONE;
    it->angle = 0;
    return 0;
  }
  it->power = it->kind == LASER ? 5 : 500;
  return 1;
}

int main(void) {
  int i;
  int turns;
  for (turns = 0; turns < 2; turns++) {
    int number = labrys_int("number");
    if (number < 0 || number > 2)
      return 1;
    if (labrys_int("what") == 7)
      lamp[number].mode = labrys_int("mode") & 3;
    else
      set_lamp(number, labrys_int("kind"), labrys_int("angle"));
  }
  for (i = 0; i < 3; i++) {
    const struct lamp *it = &lamp[i];
    if (it->kind == LASER) //@ false covered
      if (it->angle > 10) //@ true infeasible, false covered
        return 2;
    if (it->kind == NONE) //@ true covered, false covered
      if (it->power != 0) //@ true infeasible, false covered
        return 3;
    if (it->kind == NONE) //@ true covered, false covered
      if (it->mode == 2) //@ true covered, false covered
        return 4;
  }
  return 0;
}
