// arguments: --proof-rules relations --paths 4000
// Elements are marked when they are taken, so no more are counted than there are numbers, and if all are
// counted, all are marked. Those of the second array can be given back without being counted.
extern int labrys_int(const char *name);

static int limit;
static int used[3];
static int found;
static int lent[2];
static int loans;

static int take(void) {
  int number = labrys_int("number");
  if (number < 1 || number > limit)
    return 0;
  if (used[number - 1])
    return 0;
  used[number - 1] = 1;
  return 1;
}

static int lend(int number) {
  if (number < 0 || number > 1)
    return 0;
  if (lent[number])
    return 0;
  lent[number] = 1;
  loans++;
  return 1;
}

int main(void) {
  int i;
  limit = labrys_int("limit");
  if (limit < 1 || limit > 3)
    return 1;
  while (labrys_int("more") == 1) {
    if (!take())
      return 2;
    found++;
    if (found > limit) //@ true infeasible, false covered
      return 3;
    if (found > 2) //@ true covered, false covered
      break;
  }
  for (i = 0; i < 3; i++) {
    if (!lend(labrys_int("lent")))
      break;
    if (labrys_int("back") == 1)
      lent[0] = 0;
  }
  if (loans > 2) //@ true covered, false covered
    return 4;
  if (found != limit)
    return 5;
  for (i = 0; i < limit; i++)
    if (!used[i]) //@ true infeasible, false covered
      return 6;
  for (i = 0; i < 3; i++)
    if (!used[i]) //@ true covered, false covered
      return 7;
  return 0;
}
