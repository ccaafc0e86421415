// arguments: --proof-rules states --paths 3000
// The check is for one element and the change for its neighbour.
extern int labrys_int(const char *name);
static int size[3];
static int used[3];

int main(void) {
  int b;
  for (b = 0; b < 3; b++) {
    size[b] = labrys_int("size");
    if (size[b] < 1 || size[b] > 3)
      return 1;
  }
  int turns = labrys_int("turns");
  while (turns-- > 0) {
    b = labrys_int("which");
    if (b < 0 || b > 2)
      return 2;
    if (used[b] > size[b]) //@ true covered, false covered
      return 3;
    if (used[b] < size[b]) {
      used[b]++;
      if (labrys_int("slip") == 1)
        used[(b + 1) % 3]++;
    }
  }
  return 0;
}
