// arguments: --function serve --proof-rules frontier --paths 400
// A state machine in another one: states that no way leads to.
enum { IDLE, OPEN, CLOSED };
enum { QUIET = 10, ASKED, ANSWERED };

int serve(const unsigned char *in, int n) {
  int outer = IDLE, inner = QUIET, rounds = 0;
  for (int i = 0; i < n; i++) {
    switch (outer) {
    case IDLE:
      if (in[i] == 1)
        outer = OPEN;
      break;
    case OPEN:
      switch (inner) {
      case QUIET:
        inner = ASKED;
        break;
      case ASKED:
        inner = in[i] & 1 ? ANSWERED : QUIET;
        break;
      case ANSWERED:
        outer = CLOSED;
        rounds++;
        break;
      default: //@ all infeasible
        return 1;
      }
      break;
    case CLOSED:
      if (inner != ANSWERED) //@ true infeasible
        return 2;
      if (rounds > 1) //@ true infeasible
        return 3;
      break;
    }
    if (outer == IDLE) { //@ true covered, false covered
      if (rounds) //@ true infeasible, false covered
        return 4;
    }
      return 4;
  }
  return 0;
}
