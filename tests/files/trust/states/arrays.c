// arguments: --proof-rules states --paths 3000 --time 60s
// Elements of arrays, written and read at places that nobody knows, and counters that go on in steps.
extern int labrys_int(const char *name);
extern void labrys_symbolic(void *object, unsigned long size, const char *name);

#define PARTS 24

struct part {
  int heat;
  int state;
};

static struct part parts[PARTS];
static char marks[PARTS];
static char tape[PARTS];

static int steps(int limit) {
  int n = 0;
  if (limit > 10)
    limit = 10;
  while (n < limit)
    n += 3;
  return n;
}

static int count_letters(int limit) {
  int n = 0;
  while (n < limit && n < PARTS && tape[n] == 'a')
    n++;
  return n;
}

int main(void) {
  int cycles = labrys_int("cycles");
  int i;
  int n;
  labrys_symbolic(tape, sizeof tape, "tape");
  for (i = 0; i < cycles && i < 40; i++) {
    int at = labrys_int("at");
    int other = labrys_int("other");
    struct part *part;
    if (at < 0 || at >= PARTS || other < 0 || other >= PARTS)
      continue;
    part = &parts[at];
    part->heat = labrys_int("heat") > 5 ? 4 : 9;
    if (part->state < 2)
      part->state++;
    if (part->heat == 5) //@ false covered
      return 1;
    if (part->state > 2) //@ false covered
      return 2;
    if (part->state == 0) //@ false covered
      return 3;
    if (parts[other].state == 0) //@ true covered, false covered
      n = 1;
    if (parts[other].heat == 9) //@ true covered, false covered
      n = 2;
    if (parts[other].heat > 9) //@ true infeasible, false covered
      return 4;
    marks[at] = 1;
    if (marks[other] != marks[at]) //@ true covered, false covered
      n = 3;
    if (marks[other] == 2) //@ true infeasible, false covered
      return 5;
    if (tape[at] != tape[other]) //@ true covered, false covered
      n = 4;
    if (tape[at] == 'x') {
      if (tape[at] != 'x') //@ true infeasible, false covered
        return 6;
      if (tape[other] != 'x') //@ true covered, false covered
        n = 5;
    }
  }
  n = steps(labrys_int("steps"));
  if (n > 12) //@ true infeasible, false covered
    return 7;
  if (n == 12) //@ true covered, false covered
    return 8;
  n = count_letters(labrys_int("letters"));
  if (n > PARTS) //@ true infeasible, false covered
    return 9;
  if (n == 5) //@ true covered, false covered
    return 10;
  return 0;
}
