// arguments: --proof-rules states --paths 3000
// Members of a structure behind a pointer: a queue that is never fuller than it is large, and one whose size
// may be changed afterwards.
extern int labrys_int(const char *name);
struct queue {
  int size;
  int used;
};
static struct queue firm, soft;

static void add(struct queue *q) {
  if (q->used < q->size)
    q->used++;
}

static int set_up(struct queue *q) {
  q->size = labrys_int("size");
  return q->size >= 1 && q->size <= 50;
}

int main(void) {
  if (!set_up(&firm) || !set_up(&soft))
    return 1;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    int order = labrys_int("order");
    if (order == 1)
      add(&firm);
    if (order == 2)
      add(&soft);
    if (order == 3 && soft.size > 1)
      soft.size--;
    if (firm.used > firm.size) //@ true infeasible, false covered
      return 2;
    if (soft.used > soft.size) //@ true covered, false covered
      return 3;
    if (order == 7)
      return 0;
  }
  return 0;
}
