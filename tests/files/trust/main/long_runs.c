// arguments: --paths 100
// Every run takes thousands of turns before it ends by itself, and leaves candidates in each: all of them
// are suspended on the way, and nothing that they show counts before one of them is brought to its end.
extern int labrys_int(const char *name);

enum mode { IDLE, RUNNING, BROKEN };

int main(void) {
  enum mode mode = IDLE;
  int faults = 0;
  for (int turn = 0; turn < 2500; turn++) {
    int command = labrys_int("command");
    switch (mode) {
    case IDLE:
      if (command == 1)
        mode = RUNNING;
      break;
    case RUNNING:
      if (command == 2)
        faults++;
      if (faults > 1) //@ true covered, false covered
        mode = BROKEN;
      break;
    default:
      if (command == 3) //@ true covered, false covered
        mode = IDLE;
      break;
    }
  }
  return mode == BROKEN;
}
