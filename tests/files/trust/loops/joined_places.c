// arguments: --function walk --proof-rules loops --paths 400 --trust all
// What paths of one turn hold where they come together: pointers into different objects, elements by an index
// that depends on the input, and what only one of them has written.
static int red[4], blue[4];

int walk(int n, unsigned pick, const unsigned char *steps) {
  int *at = red;
  int spare = 1, seen = 0;
  if (!steps)
    return -1;
  for (int i = 0; i < n; i++) {
    if (pick & 1u)
      at = red;
    else
      at = blue;
    if (pick & 2u)
      spare = 2;
    at[pick & 3u] = spare;
    if (at[pick & 3u] == 3) //@ true infeasible, false covered
      return 1;
    if (red[0] > 2 || blue[3] > 2) //@ true infeasible
      return 2;
    if (red[1] == 2 && blue[1] == 2) //@ all open
      return 3;
    if (spare == 2)
      seen = 1;
    if (seen) //@ all open
      if (spare != 2) //@ true infeasible
        return 4;
    if (!seen) //@ all open
      if (spare != 1) //@ true infeasible
        return 5;
    pick = pick * 5u + 3u;
  }
  return 0;
}
