// arguments: --proof-rules states --paths 3000
// Values that are only written on some ways share a set of states with those on the others.
extern int labrys_int(const char *name);

static int length;
static int spaces;

static int read_word(void) {
  char word[6];
  int i = 0;
  while (i < 5) {
    char c = (char)labrys_int("letter");
    if (c < 'a' || c > 'c')
      break;
    word[i] = c;
    i++;
  }
  word[i] = 0;
  length = i;
  if (i > 0) {
    if (word[0] == 'b') //@ true covered, false covered
      return 2;
  }
  return i == 0 ? 0 : 1;
}

int main(void) {
  int found = 0;
  int last;
  int turns;
  for (turns = 0; turns < 6; turns++) {
    int kind = read_word();
    if (kind == 0) {
      spaces++;
      continue;
    }
    found++;
    last = kind;
    if (kind > 2) //@ true infeasible, false covered
      return 1;
    if (length > 5) //@ true infeasible, false covered
      return 2;
    if (length == 5) //@ true covered, false covered
      found++;
  }
  if (found > 0 && last == 2) //@ true covered
    return 3;
  if (spaces == 7) //@ true infeasible, false covered
    return 4;
  return 0;
}
