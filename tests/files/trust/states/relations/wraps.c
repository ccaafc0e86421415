// arguments: --proof-rules states --paths 3000
// One more is not always more: the counter wraps around behind its limit.
extern unsigned char labrys_uchar(const char *name);
extern int labrys_int(const char *name);

int main(void) {
  unsigned char limit = labrys_uchar("limit");
  unsigned char at = limit;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    if (labrys_int("go on") == 1)
      at++;
    if (at < limit) //@ true covered, false covered
      return 1;
    if (labrys_int("stop") == 7)
      return 0;
    if (at > limit) //@ true covered, false covered
      at = limit;
  }
  return 0;
}
