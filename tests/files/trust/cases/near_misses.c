// arguments: --proof-rules relations --paths 4000
// What would hold of each element if nobody wrote through the other pointer, behind the array's neighbour,
// or in the callee.
extern int labrys_int(const char *name);

struct part {
  int set;
  int value;
};

static struct {
  struct part by_pointer[2];
  struct part by_callee[2];
  struct part quiet[2];
  int phase;
} all;

static void put(struct part *it, int value) {
  it->set = 1;
  it->value = value;
}

static void clear(struct part *it, int how) {
  it->set = 0;
  if (how != 3)
    it->value = 0;
}

int main(void) {
  int turns;
  int i;
  int *any = &all.phase;
  for (turns = 0; turns < 2; turns++) {
    int at = labrys_int("at") & 1;
    switch (labrys_int("what")) {
    case 1:
      put(&all.by_pointer[at], 5);
      break;
    case 2:
      put(&all.by_callee[at], 5);
      break;
    case 3:
      clear(&all.by_callee[at], labrys_int("how"));
      break;
    case 4:
      put(&all.quiet[at], 5);
      break;
    case 5:
      clear(&all.quiet[at], 0);
      break;
    case 6:
      any = &all.by_pointer[at].value;
      break;
    default:
      break;
    }
    *any = 5;
  }
  for (i = 0; i < 2; i++) {
    if (!all.by_pointer[i].set && all.by_pointer[i].value == 5) //@ true covered, false covered, true covered, false covered
      return 1;
    if (!all.by_callee[i].set && all.by_callee[i].value == 5) //@ true covered, false covered, true covered, false covered
      return 2;
  }
  return 0;
}
