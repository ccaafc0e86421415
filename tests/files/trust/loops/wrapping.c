// arguments: --function wrap --proof-rules loops --paths 400
// Numbers that wrap around, signed and unsigned views of the same bits.
int wrap(unsigned n) {
  unsigned char c = 0;
  signed char s = 0;
  int negative = 0;
  unsigned short even = 0;
  while (n-- > 0) {
    c += 3;
    s = (signed char)c;
    even += 2;
    if (s < 0) //@ true open
      negative = 1;
    if (c == 2 && even > 100) //@ true open
      return 2;
    if (c == 2) //@ true open
      if (!negative) //@ true infeasible
        return 1;
    if (even & 1) //@ true infeasible, false covered
      return 3;
  }
  return 0;
}
