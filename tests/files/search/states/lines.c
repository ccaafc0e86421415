// Two telephone lines in one structure on the heap, each with a small state machine and a counter of
// failures; a conference needs both of them held at a time, and an alarm needs a line that has failed
// three times in a row while the other one talks.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>
#include <stdlib.h>

enum phase { FREE, RINGING, TALKING, HELD };

struct line {
  enum phase phase;
  int failures;
};

struct exchange {
  struct line line[2];
  int conference;
  int fee;
};

static void ring(struct line *line, int answer)
{
  if (line->phase != FREE)
    return;
  if (answer == 1)
    line->phase = RINGING;
  else
    line->failures++;
}

static void lift(struct exchange *x, struct line *line)
{
  if (line->phase == RINGING) {
    line->phase = TALKING;
    line->failures = 0;
  } else if (line->phase == HELD && !x->conference) {
    line->phase = TALKING;
  }
}

static void hold(struct line *line)
{
  if (line->phase == TALKING)
    line->phase = HELD;
}

static int join(struct exchange *x)
{
  if (x->line[0].phase == HELD && x->line[1].phase == HELD) {
    x->conference = 1;
    return x->fee > 0;
  }
  return 0;
}

static int is_alarm(struct exchange *x)
{
  if (x->line[0].failures >= 3 && x->line[1].phase == TALKING)
    return 1;
  if (x->conference && x->line[1].phase == FREE)
    return 1;
  return 0;
}

int main(void)
{
  struct exchange *x = calloc(1, sizeof *x);
  int n;
  for (n = 0; n < 12; n++) {
    int key = labrys_int("key");
    struct line *line = &x->line[0];
    if (labrys_int("line") == 1)
      line = &x->line[1];
    switch (key) {
    case 1:
      ring(line, labrys_int("answer"));
      break;
    case 2:
      lift(x, line);
      break;
    case 3:
      hold(line);
      break;
    case 4:
      if (join(x))
        return 1;
      break;
    case 5:
      line->phase = FREE;
      break;
    case 6:
      if (labrys_int("coin") == 10)
        x->fee = 10;
      break;
    default:
      return 2;
    }
    if (is_alarm(x))
      return 3;
  }
  free(x);
  return 0;
}
