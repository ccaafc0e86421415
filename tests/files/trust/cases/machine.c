// arguments: --proof-rules relations --paths 4000
// A machine whose flags follow its state, but for one that a reset forgets.
extern int labrys_int(const char *name);

enum state { IDLE, OPEN, BUSY, SHUT };

static enum state state;
static int is_open;
static int has_job;
static int jobs;

static void take(int order) {
  switch (state) {
  case IDLE:
    if (order == 1) {
      state = OPEN;
      is_open = 1;
    }
    break;
  case OPEN:
    if (order == 2) {
      state = BUSY;
      has_job = 1;
      jobs++;
    } else if (order == 3) {
      state = SHUT;
      is_open = 0;
    }
    break;
  case BUSY:
    if (order == 4) {
      state = OPEN;
      has_job = 0;
    } else if (order == 9) {
      state = IDLE;
      is_open = 0;
    }
    break;
  default:
    break;
  }
}

int main(void) {
  int turns;
  for (turns = 0; turns < 4; turns++) {
    take(labrys_int("order"));
    if (state == BUSY) //@ true covered, false covered
      if (!is_open) //@ true infeasible, false covered
        return 1;
    if (state == SHUT) //@ true covered, false covered
      if (is_open) //@ true infeasible, false covered
        return 2;
    if (state == IDLE) //@ true covered, false covered
      if (has_job) //@ true covered, false covered
        return 3;
    if (state == SHUT) //@ true covered, false covered
      if (jobs == 0) //@ true covered, false covered
        return 4;
  }
  return 0;
}
