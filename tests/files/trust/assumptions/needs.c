// arguments: --function level --assume start<5 --proof-rules relations
// Proofs before the search are tried once more where nothing is assumed.
int level(int start, int n) {
  if (n > 10 && start > 3) //@ all open
    return 1;
  if (n > 10) {
    if (n < 5) //@ true does without start<5
      return 2;
    if (n < 12) //@ true open
      return 3;
  }
  if (start > 7) //@ true may need start<5
    return 4;
  if (start > 3) //@ true open
    return 5;
  return 0;
}
