// arguments: --function check --proof-rules memory
// Locals behind an index and behind a pointer that somebody has kept.
extern void keep(int *p);
extern int ask(void);
struct pair {
  int a;
  unsigned char b[4];
};

int check(unsigned char x) {
  struct pair s = {4, {1, 2, 3, 9}}, t = {0};
  int own[3] = {5, 6, 7}, known = 8;
  if (s.b[x & 3] > 9) //@ true infeasible, false covered
    return 1;
  if (s.b[x & 3] > 8) //@ all covered
    return 2;
  own[x % 3] = 1;
  if (own[1] != 1 && //@ all covered
      own[1] != 6) //@ true infeasible, false covered
    return 3;
  if (own[0] == 2) //@ true infeasible, false covered
    return 4;
  t = s;
  if (t.a != 4) //@ true infeasible, false covered
    return 5;
  keep(&known);
  known = 3;
  if (known != 3) //@ true infeasible, false covered
    return 6;
  ask();
  if (known != 3) //@ true open, false covered
    return 7;
  if (t.a != 4) //@ true infeasible, false covered
    return 8;
  return 0;
}
