// arguments: --function run --proof-rules frontier --paths 400
// Objects that were allocated: what was stored is there again, unless another pointer, a failure or a newer
// object is in between.
#include <stdlib.h>

struct item {
  int kind, count;
  struct item *next;
};

static struct item *made(int kind) {
  struct item *it = malloc(sizeof *it);
  if (!it)
    return 0;
  it->kind = kind;
  it->count = 0;
  return it;
}

static void add(struct item *it, int by) {
  if (by > 0)
    it->count += by;
}

int run(int in, int n) {
  struct item *first = made(3);
  if (!first)
    return -1;
  if (first->kind != 3) //@ true infeasible, false covered
    return 1;
  struct item *other = calloc(1, sizeof *other);
  if (!other)
    return -1;
  if (other->count) //@ true infeasible, false covered
    return 2;
  for (int i = 0; i < n && i < 100; i++) {
    add(first, in & 7);
    if (first->count < 0) //@ true open, false covered
      return 3;
    if (first->count == 21) //@ true covered, false covered
      return 4;
  }
  struct item *chosen = in > 5 ? first : other;
  chosen->kind = 9;
  if (first->kind == 9) //@ true covered, false covered
    return 5;
  if (other->kind == 9) { //@ true covered, false open
    if (in > 5) //@ true infeasible
      return 6;
  }
  if (first->kind == 4) //@ true infeasible, false covered
    return 7;
  struct item *last = 0;
  for (int i = 0; i < 2; i++) {
    struct item *now = malloc(sizeof *now);
    if (!now)
      return -1;
    now->kind = i;
    if (last && last->kind != 0) //@ false covered
      return 8;
    if (last && last->kind == 0) //@ true covered
      return 9;
    last = now;
  }
  return 0;
}
