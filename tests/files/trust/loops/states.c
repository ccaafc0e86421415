// arguments: --function serve --proof-rules loops --paths 400
// An automaton: states that are never set, and one that needs several turns.
extern int next(void);

int serve(void) {
  int state = 10, resent = 0;
  for (;;) {
    switch (state) {
    case 10: //@ all covered
      state = next() ? 20 : 30;
      break;
    case 20:
      resent++;
      state = resent > 3 ? 40 : 10;
      break;
    case 30:
      return 0;
    case 40: //@ all open
      return 1;
    case 50: //@ all infeasible
      return 2;
    default: //@ all infeasible
      return 3;
    }
  }
}
