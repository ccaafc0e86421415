// arguments: --proof-rules states --paths 3000
// What is below a limit as a number without a sign may be above it with one, and the other way round.
extern int labrys_int(const char *name);
static int low;
static int high;

int main(void) {
  low = 0;
  high = 0;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    int a = labrys_int("a");
    int b = labrys_int("b");
    if ((unsigned)a <= (unsigned)b) {
      low = a;
      high = b;
    }
    if (low > high) //@ true covered, false covered
      return 1;
    if ((unsigned)low > (unsigned)high) //@ true infeasible, false covered
      return 2;
    if (labrys_int("stop") == 7)
      return 0;
  }
  return 0;
}
