// arguments: --main --proof-rules memory
// A pointer to an element of an array of structures: a check of what it leads to counts for it alone.
int labrys_int(const char *name);

#define BARS 3
struct bar {
  int used, height, load;
};
static struct bar bars[BARS];
static int count;

static int limited(int *value, int low, int high) {
  *value = labrys_int("value");
  if (*value < low || *value > high)
    return 0;
  return 1;
}

static int read_bar(void) {
  int number = labrys_int("number");
  struct bar *bar;

  if (number < 1 || number > BARS)
    return 0;
  bar = &bars[number - 1];
  bar->used = 1;
  if (bar->used != 1) //@ true infeasible, false covered
    return 0;
  if (!limited(&bar->height, 2, 60))
    return 0;
  if (bar->height < 2) //@ true infeasible, false covered
    return 0;
  if (!limited(&bars[0].load, 7, 9))
    return 0;
  if (bars[0].load > 9) //@ true infeasible, false covered
    return 0;
  if (bar->load > 9) //@ true infeasible, false covered
    return 0;
  if (bar->load == 7) //@ all covered
    return 0;
  bars[1].height = 1;
  if (bar->height < 2) //@ all covered
    return 0;
  bars[1].height = 5;
  count++;
  return 1;
}

int main(void) {
  int i;

  if (!read_bar() || !read_bar())
    return 1;
  for (i = 0; i < BARS; i++) {
    if (bars[i].height > 60) //@ true infeasible, false covered
      return 2;
    if (bars[i].height == 0) //@ all covered
      return 3;
    if (bars[i].used > 1) //@ true infeasible, false covered
      return 4;
  }
  return 0;
}
