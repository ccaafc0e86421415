// arguments: --function check --proof-rules relations --paths 300
// One error that can come before an objective is enough, wherever it is: in a loop that comes round again, in a
// function that was called, one step outside of an array.
int table[8];
static int within(int i) {
  return table[i & 7];
}
static int outside(int i) {
  return table[i & 15];
}
static int sum(int a, int b) {
  return a + b;
}
int check(unsigned n, int kind, int value) {
  int found = 0;
  if (kind == 1) {
    found = within(value);
    if (n > 10)
      if (n < 5) //@ true does without ends at first error
        return 1;
  }
  if (kind == 2) {
    found = outside(value);
    if (n > 10)
      if (n < 5) //@ true may need ends at first error
        return 2;
    return found;
  }
  if (kind == 3) {
    found = sum(value, 1);
    if (n > 10)
      if (n < 5) //@ true may need ends at first error
        return 3;
    return found;
  }
  for (unsigned i = 0; i < n; i++) {
    if (kind == 4) {
      if (kind == 5) //@ true may need ends at first error
        return 4;
      found += value << i;
    }
  }
  return found;
}
