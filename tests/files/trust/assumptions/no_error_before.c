// arguments: --function level --proof-rules relations --paths 300
// That a run ends at its first error is not needed where no error can come before the objective, whatever the
// proof looks at.
int table[8];
int level(unsigned n, int x, int y) {
  if (x > 10) {
    if (x < 5) //@ true does without ends at first error
      return 2;
    if (table[n & 7] > 3)
      if (x < 7) //@ true does without ends at first error
        return 3;
  }
  if (x < 100 && x > 0) {
    if (x + 5 > 200) //@ true does without ends at first error
      return 4;
    if (100 / x > 100) //@ true does without ends at first error
      return 5;
    if (1 << (x & 15) == 0) //@ true does without ends at first error
      return 6;
  }
  x = 100 / y;
  if (n > 20) {
    // The division may have had an error.
    if (n < 15) //@ true may need ends at first error
      return 7;
  }
  return 0;
}
