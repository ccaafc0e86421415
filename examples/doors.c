// A door in an endless loop: only the constants of its state say what remains. docs/proofs.md shows the
// proof that it is not closed when it opens.
extern int labrys_int(const char *name);

static int state = 10;
static int retries;
static int opened;
static int closed;

static int ask(void) {
  int answer = labrys_int("answer");
  if (answer == 0)
    return 0;
  return answer > 0 ? 1 : -1;
}

int main(void) {
  for (;;) {
    int got = ask();
    switch (state) {
    case 10:
      if (got > 0)
        state = 20;
      break;
    case 20:
      opened = 1;
      if (closed)
        return 9;
      state = got < 0 ? 30 : 40;
      break;
    case 30:
      retries++;
      if (retries > 2)
        return 1;
      state = 20;
      break;
    case 40:
      if (!opened)
        return 2;
      closed = 1;
      state = 50;
      break;
    case 50:
      if (state == 10)
        return 3;
      return 4;
    case 60: // Nothing leads here.
      if (retries)
        return 5;
      break;
    }
  }
}
