// arguments: --main --proof-rules memory
// Small functions are looked at for each place that they are called from; what anybody may call is not.
int labrys_int(const char *name);

static int between(int value, int low, int high) {
  if (value < low)
    return low;
  if (value > high)
    return high;
  return value;
}

static int slot, other;
static void set(int *to, int value) { *to = value; }

static int deep(int *to, int n) {
  if (n == 0) {
    int own = 4;
    *to = 9;
    return own;
  }
  int here = 3;
  int got = deep(&here, n - 1);
  return here == 3 ? got : here;
}

int main(void) {
  int opening = between(labrys_int("a"), 0, 100);
  int pressure = between(labrys_int("b"), 50, 300);
  int *either = labrys_int("c") > 0 ? &slot : &other;

  if (opening > 100) //@ true infeasible, false covered
    return 1;
  if (pressure < 50) //@ true infeasible, false covered
    return 2;
  if (pressure > 100) //@ all covered
    return 3;
  set(&slot, 4);
  set(&other, 5);
  if (slot != 4) //@ true infeasible, false covered
    return 4;
  set(either, 6);
  if (slot != 4) //@ all covered
    return 5;
  opening = 3;
  if (deep(&opening, 1) == 9) //@ true covered, false open
    return opening;
  return 6;
}
