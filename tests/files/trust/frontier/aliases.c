// arguments: --function move --proof-rules frontier --paths 400
// Pointers that may lead to the same object, and some that cannot.
static void both(int *p, int *q) {
  *p = 1;
  *q = 2;
  if (*p == 2) //@ true open, false covered
    return;
  if (*p != 1) //@ true infeasible, false covered
    return;
}

int move(int *a, int *b, int n) {
  int mine = 5, other = 6, given = 7;
  int *to = n > 3 ? &mine : &other;
  *a = 1;
  *b = 2;
  if (*a != 1 && *a != 2) //@ all open
    return 1;
  if (mine != 5) //@ true infeasible, false covered
    return 2;
  *to = 9;
  if (mine == 9)
    if (n <= 3) //@ true infeasible, false covered
      return 3;
  if (mine == 8) //@ true infeasible, false covered
    return 4;
  both(&given, n == 11 ? &given : &other);
  if (given == 7) //@ true infeasible, false covered
    return 5;
  if (given == 2) //@ true open
    return 6;
  return 0;
}
