// arguments: --function run --proof-rules relations --paths 400
// Sums and differences that wrap around say nothing, those that cannot do.
int run(int x, int y, unsigned a, unsigned b, unsigned char c) {
  if (x + 1 > x) //@ all covered
    y++;
  if (x < y) {
    if (x + 1 > y) //@ true infeasible, false covered
      return 1;
    if (x + 2 > y) //@ all covered
      y--;
    if (x - 1 > y) //@ all covered
      y--;
  }
  if (a - b > a) //@ all covered
    b++;
  if (a >= b) {
    if (a - b > a) //@ true infeasible, false covered
      return 2;
    if (a - b == 0) //@ all covered
      if (a != b) //@ true infeasible, false covered
        return 3;
  }
  if (a < b) {
    if (a + 1 > b) //@ true infeasible, false covered
      return 4;
    if (a - 1 > b) //@ all covered
      return 5;
  }
  if (c + 1 <= c) //@ true infeasible, false covered
    return 6;
  unsigned left = a;
  while (left > 0) {
    if (left > a) //@ true infeasible, false covered
      return 8;
    left--;
  }
  for (left = a; left != 7; left--)
    if (left > a) //@ true open, false covered
      return 9;
  unsigned char next = c + 1;
  if (next <= c) //@ all covered
    return 7;
  return 0;
}
