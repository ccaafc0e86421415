// arguments: --proof-rules loops --paths 600
// Relations that hold behind two or three turns in a row that began with it, and still do not hold in all of
// them: the first turns bring other values, the value comes in every other turn only, or it wraps around.
extern int ask(void);

int second_turn(int n) {
  int now = 4, next = 5;
  while (n-- > 0) {
    if (now == 5) //@ true covered, false covered
      return 1;
    now = next;
    next = 4 + 3 * (ask() & 1);
  }
  return 0;
}

int every_other_turn(int n) {
  int x = 0;
  while (n-- > 0) {
    if (x == 1) //@ true covered, false covered
      return 1;
    x = 1 - x;
  }
  return 0;
}

int third_turn(int n) {
  int a = 1, b = 4, c = 6;
  while (n-- > 0) {
    int first = a;
    if (a == 6) //@ true covered, false covered
      return 1;
    a = b;
    b = c;
    c = first;
  }
  return 0;
}

int fourth_turn(int n) {
  int a = 1, b = 4, c = 9, d = 6;
  while (n-- > 0) {
    int first = a;
    if (a == 6) //@ true covered, false covered
      return 1;
    a = b;
    b = c;
    c = d;
    d = first;
  }
  return 0;
}

int wraps(int n) {
  unsigned char now = 0, next = 0;
  while (n-- > 0) {
    if (now == 1) //@ true open, false covered
      return 1;
    now = next;
    next += 3;
  }
  return 0;
}

int given(int n, int start) {
  int x = 3, y = start;
  while (n-- > 0) {
    int other = x;
    if (x == 5) //@ true covered, false covered
      return 1;
    x = y;
    y = other;
  }
  return 0;
}

int inner(int n, int m) {
  int x = 3, y = 8;
  while (n-- > 0) {
    int other = x;
    for (int i = 0; i < m; i++)
      if (i == 2)
        y = 5;
    if (x == 5) //@ true covered, false covered
      return 1;
    x = y;
    y = other;
  }
  return 0;
}
