// arguments: --function tally --proof-rules loops --paths 400
// Paths of one turn that have asked for different numbers of inputs come together: what they ask for behind
// the join are inputs of their own.
extern int ask(void);

int tally(int n) {
  int last = 0, before = 0, most = 0;
  for (int i = 0; i < n; i++) {
    int a = 0, b = 0;
    if (ask() > 0) {
      a = ask();
      b = ask();
    } else if (ask() == 3) {
      a = 1;
    }
    before = last;
    last = ask();
    if (a == 5 && b == 6 && last == 7) //@ all open
      most = 1;
    if (a == 5 && last != 7) //@ all open
      most = most ? 2 : 3;
    if (b == 9 && a == 1) //@ all open
      most = 4;
    if (most > 4) //@ true infeasible, false covered
      return 1;
    if (b != 0 && before == b && last == before) //@ all open
      most = 0;
  }
  return most;
}
