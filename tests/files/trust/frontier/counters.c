// arguments: --function count --proof-rules frontier --paths 400
// A counter behind a loop without a bound: what it can reach, and what it cannot.
extern int ask(void);

int count(int n, int limit) {
  int hits = 0, turns = 0;
  if (limit < 1 || limit > 1000)
    return -1;
  for (int i = 0; i < n; i++) {
    turns++;
    if (ask() == 7)
      hits++;
    if (hits > turns) //@ true open, false covered
      return 1;
    if (turns < 0) //@ true infeasible
      return 2;
    if (hits >= limit)
      break;
    if (hits > limit) //@ true infeasible, false covered
      return 3;
  }
  if (hits > limit) //@ true infeasible, false covered
    return 4;
  if (hits == limit) //@ true covered, false covered
    return 5;
  return 0;
}
