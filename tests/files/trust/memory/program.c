// arguments: --main --proof-rules memory
// A whole program starts with initial values, and nobody else writes its variables.
#include <signal.h>
int labrys_int(const char *name);
int debug;
static int state = 10, count;
static volatile int stop;
static struct session {
  int phase, tries;
} session;

static void on_stop(int number) {
  (void)number;
  stop = 1;
}

static void step(struct session *s) {
  if (s->phase == 0) //@ all covered
    s->phase = 300;
  else if (s->phase == 300) //@ true covered, false infeasible
    s->phase = 0;
  else
    s->phase = 7;
}

int main(void) {
  signal(SIGTERM, on_stop);
  while (labrys_int("again")) {
    if (debug) //@ true infeasible, false covered
      return 1;
    if (state == 10) //@ all covered
      state = 2000;
    else if (state == 2000) //@ true covered, false infeasible
      state = 10;
    if (state == 99) //@ true infeasible, false covered
      return 2;
    step(&session);
    if (session.tries) //@ true infeasible, false covered
      return 3;
    count++;
    if (count == 3) //@ all covered
      return 4;
    if (stop) //@ true open, false covered
      return 5;
  }
  return 0;
}
