struct big { int a[8]; };
int sum(struct big b);
struct big make(int x);
int use(struct big *p, int x) {
  struct big q = make(x);
  return sum(*p) + sum(q);
}
