// arguments: --function watch --proof-rules loops --paths 400
// A turn that changes something only for one input, behind a call and behind a continue.
extern int sensor(void);

struct watch {
  int armed, count;
  char name[4];
};

static void trip(struct watch *w, int in) {
  if (in == 123456 && w->count > 2)
    w->armed = 1;
}

int watch(unsigned n) {
  struct watch w = {0, 0, "abc"};
  while (n-- > 0) {
    int in = sensor();
    if (in < 0)
      continue;
    w.count++;
    trip(&w, in);
    if (w.name[1] != 'b') //@ true infeasible, false covered
      return 9;
  }
  if (w.armed) //@ true open
    return 1;
  if (w.armed > 1) //@ true infeasible
    return 2;
  return 0;
}
