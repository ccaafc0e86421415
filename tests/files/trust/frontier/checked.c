// arguments: --function sum --proof-rules frontier --paths 400
// A callee that checks what its callers have checked before, for one of them not quite.
static int table[16];

static int at(int i, int most) {
  if (i < 0) //@ true infeasible, false covered
    return -1;
  if (i > 15) //@ true infeasible, false covered
    return -2;
  if (i > most) //@ true open, false covered
    return -3;
  return table[i];
}

int sum(int from, int to) {
  int total = 0;
  if (from < 0 || to > 16)
    return -1;
  for (int i = from; i < to; i++)
    total += at(i, to - 1);
  if (from < 8)
    total += at(from, 6);
  return total;
}
