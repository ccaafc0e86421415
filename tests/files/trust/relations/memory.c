// arguments: --function run --proof-rules relations --paths 400
// Relations with what is in variables, members and locals, until something may write there.
extern void ask(void);
struct buffer {
  int used, room;
};
static struct buffer own;
int head, tail;

static void reset(void) { tail = 0; }

int run(int n, int *p, struct buffer *b) {
  struct buffer local = {0, 0};
  local.room = n;
  local.used = 0;
  while (local.used < local.room) {
    local.used++;
    if (local.used > local.room) //@ true infeasible, false open
      return 1;
  }
  int now = 0, before = 0;
  while (now < 5) {
    if (now == before) //@ all covered
      own.room = 0;
    own.used = now;
    int kept = own.used;
    now++;
    before = kept;
  }
  if (head < tail) {
    int next = head + 1;
    if (next > tail) //@ true infeasible, false open
      return 2;
    head = next;
    if (head > tail) //@ true infeasible, false open
      return 3;
    *p = 3;
    if (head > tail) //@ true open, false open
      return 4;
  }
  if (own.used <= own.room) {
    own.used = own.room - 1;
    if (own.used > own.room) //@ true open, false open
      return 5;
  }
  if (head < tail) {
    reset();
    if (head > tail) //@ true open, false open
      return 6;
  }
  if (head < tail) {
    ask();
    if (head > tail) //@ true open, false open
      return 7;
  }
  if (b->used < b->room) {
    if (b->used + 1 > b->room) //@ true infeasible, false open
      return 8;
    b->used = b->used + 1;
    if (b->used > b->room) //@ true infeasible, false open
      return 9;
    *p = 7;
    if (b->used > b->room) //@ true open, false open
      return 10;
  }
  return 0;
}
