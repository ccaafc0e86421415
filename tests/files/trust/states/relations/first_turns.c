// arguments: --proof-rules states --paths 3000
// The relation holds in the first turns only.
extern int labrys_int(const char *name);

int main(void) {
  int size = labrys_int("size");
  int used = 0;
  int turn = 0;
  int free = 0;
  if (size < 2 || size > 100)
    return 1;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    if (used < size)
      used++;
    if (turn >= 3 && labrys_int("more") == 1)
      used++;
    if (free < size)
      free++;
    turn++;
    if (free > size) //@ true infeasible, false covered
      return 2;
    if (used > size) //@ true covered, false covered
      return 3;
    if (labrys_int("stop") == 7)
      return 0;
  }
  return 0;
}
