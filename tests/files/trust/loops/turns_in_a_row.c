// arguments: --proof-rules loops --paths 600
// What a turn reads was written one turn or two turns before, so that one turn alone shows nothing: from
// any state in which the relation holds, only two or three turns in a row lead to one in which it holds.
extern int ask(void);

int delayed(int n) {
  int now = 4, next = 4;
  while (n-- > 0) {
    if (now == 5) //@ true infeasible, false covered
      return 1;
    now = next;
    next = 4 + 3 * (ask() & 1);
  }
  return 0;
}

int delayed_twice(int n) {
  int now = 4, soon = 4, next = 4;
  while (n-- > 0) {
    if (now == 5) //@ true infeasible, false covered
      return 1;
    now = soon;
    soon = next;
    next = 4 + 3 * (ask() & 1);
  }
  return 0;
}

int swapped(int n) {
  int x = 3, y = 8;
  while (n-- > 0) {
    int other = x;
    if (x == 5) //@ true infeasible, false covered
      return 1;
    x = y;
    y = other;
  }
  return 0;
}

int rotated(int n) {
  int a = 1, b = 4, c = 9;
  while (n-- > 0) {
    int first = a;
    if (a == 6) //@ true infeasible, false covered
      return 1;
    a = b;
    b = c;
    c = first;
  }
  return 0;
}
