// arguments: --proof-rules states --paths 3000
// The loop goes one turn further than the size.
extern int labrys_int(const char *name);
static int size;

static int item(int i) {
  if (i >= size) //@ true covered, false covered
    return 1;
  return 0;
}

int main(void) {
  int past = 0;
  size = labrys_int("size");
  if (size < 1 || size > 5)
    return 1;
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    for (int i = 0; i <= size; i++)
      past += item(i);
    if (labrys_int("stop") == 7)
      return past;
  }
  return 0;
}
