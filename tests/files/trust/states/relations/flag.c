// arguments: --proof-rules states --paths 3000
// A state in which another number has a bound, and one in which it had it only when it was entered.
extern int labrys_int(const char *name);
enum dog { QUIET, BARKING, BITING };
static enum dog dog;
static int missed;

int main(void) {
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    int fed = labrys_int("fed");
    switch (dog) {
    case QUIET:
      if (fed == 1)
        missed = 0;
      else if (++missed >= 2)
        dog = BARKING;
      break;
    case BARKING:
      if (fed == 1) {
        dog = QUIET;
        missed = 0;
      } else if (missed < 10 && ++missed >= 9) {
        dog = BITING;
      } else if (fed == 2) {
        dog = BITING;
      }
      break;
    case BITING:
      if (fed == 1)
        missed--;
      break;
    }
    if (dog == BARKING &&
        missed < 2) //@ true infeasible, false covered
      return 1;
    if (dog == BITING && missed < 2) //@ true covered, false covered
      return 2;
    if (fed == 7)
      return 0;
  }
  return 0;
}
