// arguments: --function check --proof-rules memory
// A member that is read twice is one value unless something may have written it between.
struct in {
  int a, b;
  struct in *next;
};
extern int ask(void);

int check(struct in *in, struct in *other) {
  if (in->a > 1400 &&
      in->a < 1200) //@ true infeasible, false covered
    return 1;
  if (in->a > 1400) {
    if (in->a < 1200) //@ true infeasible, false covered
      return 2;
    in->b = 3;
    if (in->a < 1200) //@ true infeasible, false covered
      return 3;
    if (in->b != 3) //@ true infeasible, false covered
      return 4;
    other->a = 5;
    if (in->a < 1200) //@ true open, false covered
      return 5;
  } else if (in->next && in->next->b == 7) {
    if (in->next->b != 7) //@ true infeasible, false covered
      return 6;
    ask();
    if (in->next->b != 7) //@ all open
      return 7;
  }
  return 0;
}
