// arguments: --proof-rules states --paths 3000
// Results of calls from several places, wrap-around, characters, and memory that is copied.
#include <string.h>
extern int labrys_int(const char *name);
extern unsigned char labrys_uchar(const char *name);

struct record {
  int kind;
  unsigned char level[4];
  int limit;
};

static struct record kept = {1, {0}, 100};

static int sign(int x) {
  if (x < 0)
    return -1;
  if (x > 0)
    return 1;
  return 0;
}

static void step(struct record *r) {
  r->level[0]++;
  if (r->level[0] == 0) //@ true open, false covered
    r->kind = 3;
}

int main(void) {
  struct record copy;
  int rounds = labrys_int("rounds");
  int s = sign(labrys_int("x"));
  if (s == 2) //@ true infeasible, false covered
    return 1;
  while (rounds-- > 0) {
    copy = kept;
    step(&copy);
    if (labrys_uchar("keep"))
      memcpy(&kept, &copy, sizeof kept);
    if (kept.kind == 2) //@ true infeasible, false covered
      return 2;
  }
  if (kept.limit != 100) //@ true infeasible, false covered
    return 3;
  if (s > 0) {
    if (sign(s) != 1) //@ true infeasible, false covered
      return 4;
  }
  if (kept.level[0] == 2) //@ true covered, false covered
    return 5;
  return 0;
}
