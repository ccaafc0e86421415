// arguments: --function level --assume start<5 --proof-rules frontier --paths 200
// What the user says of the start is not needed where nothing in the proof looks at it.
int level(int start, const int *in, int n) {
  int seen = 0, last = 0;
  for (int i = 0; i < n; i++) {
    int now = in[i];
    if (now == 7)
      seen = 1;
    last = now;
  }
  if (last == 7) {
    if (!seen) //@ true does without start<5, false covered
      return 1;
  }
  if (start > 7) //@ true may need start<5, false covered
    return 2;
  if (start > 3) //@ true covered, false covered
    return 3;
  return last;
}
