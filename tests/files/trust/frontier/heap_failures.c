// arguments: --function run --proof-rules frontier,exhausted
// A search rests on allocations that succeed, wherever a failure could lead to an objective. What was stored in
// an allocated object needs no such assumption, and that an allocation does not fail is nothing but that.
#include <stdlib.h>
struct item { int kind, count; };
static struct item *made(int kind) {
  struct item *it = malloc(sizeof *it);
  if (!it) //@ true unknown malloc succeeds, false covered
    return 0;
  it->kind = kind;
  it->count = 0;
  return it;
}
static int helper(int a) {
  int *t = malloc(4);
  int r = 0;
  if (t) { *t = a; r = *t; }
  return r;
}
int run(int a, int b) {
  int h = helper(a);
  if (a > b) {
    if (a == b) //@ true infeasible, false covered
      return 5;
  }
  struct item *it = made(3);
  if (!it) //@ true unknown malloc succeeds, false covered
    return -1;
  if (it->kind != 3) //@ true infeasible, false covered
    return 1;
  struct item *two = made(a);
  if (it->kind != 3) //@ true infeasible, false covered
    return 2;
  if (!two) //@ true unknown malloc succeeds, false covered
    return -2;
  if (two->kind != a) //@ true infeasible, false covered
    return 3;
  return h;
}
