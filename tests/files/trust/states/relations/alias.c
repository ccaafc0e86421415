// arguments: --proof-rules states --paths 3000
// Both numbers grow together, but for one order that changes only one of them, through a pointer.
extern int labrys_int(const char *name);
static int made;
static int sold;
static int kept;
static int lent;

int main(void) {
  int *one = &made;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    int order = labrys_int("order");
    if (order == 1 && made < 1000) {
      made++;
      sold++;
    }
    if (order == 2 && kept < 1000) {
      kept++;
      lent++;
    }
    if (order == 3)
      one = &sold;
    if (order == 4 && *one > 0)
      *one = *one - 1;
    if (made != sold) //@ true covered, false covered
      return 1;
    if (kept != lent) //@ true infeasible, false covered
      return 2;
    if (order == 7)
      return 0;
  }
  return 0;
}
