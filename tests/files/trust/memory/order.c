// arguments: --function check --proof-rules memory
// In which order operands are evaluated is left to the compiler.
static int last;
static int set(int to) {
  last = to;
  return to;
}
static int add(int a, int b) { return a + b; }

int check(int x) {
  last = 0;
  add(set(1), set(2));
  if (last != 2) //@ all open
    return 1;
  if (x > 5 &&
      x > 3) //@ true open, false infeasible
    return 2;
  return 0;
}
