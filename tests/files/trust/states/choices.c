// arguments: --proof-rules states --paths 3000
// States that are not constants when they arrive at a join, but one of a few numbers that inputs choose.
extern int labrys_int(const char *name);

struct machine {
  int state;
  int level;
  int next;
};

static struct machine m;
static int opened;

static void step(struct machine *it) {
  int got = labrys_int("got");
  if (it->state == 100) {
    it->level = 1;
    it->state = got > 0 ? 300 : 200;
  } else if (it->state == 200) {
    opened = got ? 2 : 1;
    it->next = 100 * (3 + (got & 1));
    it->state = 500;
  } else if (it->state == 300) {
    if (it->level == 0) //@ true covered, false covered
      it->state = 700;
    else
      it->state = 600 + (got & 3);
  } else if (it->state == 400) {
    if (opened == 1) //@ true infeasible, false covered
      it->state = 700;
    else
      it->state = opened == 2 ? 600 : 100; //@ true covered, false infeasible
  } else if (it->state == 500) {
    it->state = it->next;
  }
}

int main(void) {
  m.state = labrys_int("first") > 5 ? 100 : 200;
  for (;;) {
    step(&m);
    if (m.state == 603) //@ true covered, false covered
      return 1;
    if (m.state == 604) //@ true infeasible, false covered
      return 2;
    if (m.state == 600) {
      if (m.next == 400) //@ true covered, false covered
        return 3;
      return 4;
    }
    if (m.state > 600)
      return 5;
    if (m.state == 700) //@ true infeasible, false covered
      return 6;
    if (m.state == 500) {
      if (m.next == 0) //@ true infeasible, false covered
        return 7;
      if (m.next == 400) //@ true covered, false covered
        opened = 2;
    }
  }
}
