// arguments: --function jump --proof-rules loops --paths 400
// A loop with two ways into it, and one that is left and entered by goto.
int jump(int n, int way) {
  int x = 0, turns = 0;
  if (way)
    goto middle;
again:
  x += 2;
middle:
  turns++;
  x += 1;
  if (turns < n)
    goto again;
  if (x == 1) //@ true covered
    return 1;
  if (x == 7) //@ true open
    return 2;
  return 0;
}
