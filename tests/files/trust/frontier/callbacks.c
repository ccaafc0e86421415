// arguments: --function dispatch --proof-rules frontier --paths 400
// Calls through a table of functions, and through a pointer that the caller brings.
static int level;

static int up(int by) {
  if (by < 0) //@ true infeasible, false covered
    return 0;
  level += by;
  return 1;
}

static int off(int by) {
  level = 0;
  return by;
}

static int (*const table[2])(int) = {up, off};

int dispatch(int which, int by, int (*other)(int)) {
  level = 1;
  if (by < 0 || by > 9)
    return -1;
  int got = table[which & 1](by);
  if (level > 10) //@ true infeasible, false covered
    return 1;
  if (got == 1 && level == 0) //@ all open
    return 2;
  if (other && other(by)) {
    if (level == 50) //@ true open
      return 3;
  }
  return got;
}
