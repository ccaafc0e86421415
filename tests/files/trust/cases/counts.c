// arguments: --proof-rules relations --paths 4000
// Each part is counted once; what is counted twice can be more than there are parts.
extern int labrys_int(const char *name);

static int used[2];
static int count;
static int calls;

static void use(int number) {
  calls++;
  if (number < 0 || number > 1)
    return;
  if (used[number])
    return;
  used[number] = 1;
  count++;
}

int main(void) {
  int i;
  for (i = 0; i < 3; i++) {
    if (labrys_int("more") == 0)
      break;
    use(labrys_int("number"));
  }
  if (count > 2) //@ true infeasible, false covered
    return 1;
  if (calls > 2) //@ true covered, false covered
    return 2;
  return 0;
}
