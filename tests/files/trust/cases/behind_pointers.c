// arguments: --proof-rules relations --paths 4000
// What was checked behind a pointer that can lead to any element holds until somebody may write there, also in
// functions and behind their calls.
extern int labrys_int(const char *name);

static struct bar {
  int used;
  int load;
} bar[3];

static struct lamp {
  int kind;
  int bar;
  int power;
} lamp[3];

static int read_range(int *value, int low, int high) {
  *value = labrys_int("value");
  if (*value < low || *value > high)
    return 0;
  return 1;
}

static int hang(struct lamp *it) {
  if (it->kind != 0)
    return 0;
  it->kind = 1 + (labrys_int("kind") & 1);
  if (!read_range(&it->bar, 0, 2))
    return 0;
  bar[it->bar].load += 5;
  if (bar[it->bar].load > 10)
    return 0;
  it->power = 100 * it->kind;
  return 1;
}

static void move(struct lamp *it) { it->bar = labrys_int("moved") & 7; }

int main(void) {
  int i;
  int turns;
  for (turns = 0; turns < 2; turns++) {
    int number = labrys_int("number");
    struct lamp *it;
    if (number < 0 || number > 2)
      return 1;
    it = &lamp[number];
    if (!hang(it))
      return 2;
    if (it->bar > 2) //@ true infeasible, false covered
      return 3;
    if (labrys_int("move") == 1) {
      move(it);
      if (it->bar > 2) //@ true covered, false covered
        return 4;
    }
    if (labrys_int("other") == 1) {
      move(&lamp[1]);
      if (it->bar > 2) //@ true covered, false covered
        return 5;
    }
  }
  for (i = 0; i < 3; i++) {
    if (lamp[i].kind == 0) //@ true covered, false covered
      if (lamp[i].power != 0) //@ true infeasible, false covered
        return 6;
    if (lamp[i].kind == 2) //@ true covered, false covered
      if (lamp[i].power == 0) //@ true infeasible, false covered
        return 7;
  }
  return 0;
}
