// arguments: --proof-rules states --paths 3000 --time 60s
// Two arrays, element by element, with numbers that the user chooses. That no element is used more than its
// size is beyond the rule, since the first states have one index only.
extern int labrys_int(const char *name);
static int size[3];
static int used[3];
static int lost[3];

static void take(int b) {
  if (used[b] > size[b]) //@ true open, false covered
    lost[0]++;
  if (used[b] < size[b])
    used[b]++;
}

static void lose(int b) {
  if (lost[b] > size[b]) //@ true covered, false covered
    lost[b] = 0;
  lost[b]++;
}

int main(void) {
  int b;
  for (b = 0; b < 3; b++) {
    size[b] = labrys_int("size");
    if (size[b] < 1 || size[b] > 100)
      return 1;
  }
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    b = labrys_int("which");
    if (b < 0 || b > 2)
      return 2;
    take(b);
    b = labrys_int("other");
    if (b < 0 || b > 2)
      return 2;
    lose(b);
  }
  return 0;
}
