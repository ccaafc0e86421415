// arguments: --proof-rules states --paths 3000
// An index below a size, checked again in a function of its own. The size has no constant bound.
extern int labrys_int(const char *name);
static int size;
static int hits;

static int item(int i) {
  if (i < 0 || i >= size) { //@ true infeasible, false covered
    hits++;
  }
  return i;
}

int main(void) {
  size = labrys_int("size");
  if (size < 1 || size > 200)
    return 1;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    for (int i = 0; i < size; i++)
      item(i);
    if (labrys_int("stop") == 7) //@ true covered, false covered
      return hits;
  }
  return 0;
}
