// arguments: --function run --proof-rules relations --paths 400
// What holds between an argument and a variable holds in the function that is called, if all calls
// say so and nothing has changed either side.
int size, other;
int table[8];

static int inside(int i) {
  if (i >= size) //@ true infeasible, false open
    return 0;
  return table[i & 7];
}

static int from_two(int i) {
  if (i > other) //@ true infeasible, false covered
    return 0;
  if (i == other) //@ all covered
    return 1;
  return 2;
}

static int changed(int i) {
  other = i - 1;
  if (i >= other) //@ true covered, false open
    return 1;
  return 2;
}

static int after_store(int i) {
  size -= 2;
  if (i > size) //@ true open, false covered
    return 1;
  return 2;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static int next(int a) { return a + 1; }

int run(int n, int m) {
  int sum = 0;
  for (int i = 0; i < size; i++)
    sum += inside(i);
  if (n < other)
    sum += from_two(n);
  if (m <= other)
    sum += from_two(m);
  sum += changed(n);
  if (n < size)
    sum += after_store(n);
  int least = smaller(n, m);
  if (least > n) //@ true infeasible, false covered
    sum++;
  if (least > m) //@ true infeasible, false covered
    sum++;
  if (least == n) //@ all covered
    sum++;
  if (next(n) <= n) //@ true covered, false covered
    sum++;
  return sum;
}
