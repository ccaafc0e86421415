struct cell { char tag; short pair[2]; struct cell *next; unsigned low : 3, high : 7; };
struct cell table[4];
int walk(struct cell *c, int i, unsigned long j) {
  c->pair[i] = table[j].pair[1];
  c->high = 5;
  c->next->tag = 0;
  *(struct cell *)0 = *c;
  int never;
  return never;
}
long vla(int n) {
  int a[n], b[3] = {1, 2, 3};
  a[n - 1] = b[n];
  return sizeof a + a[0];
}
