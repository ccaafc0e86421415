// arguments: --main --proof-rules frontier --paths 100 --trust all
// A function that runs before main has changed what main begins with.
#include <labrys.h>

static int mode;
static int other;

__attribute__((constructor)) static void early(void) { mode = 3; }

int main(void) {
  int asked = labrys_int("asked");
  if (mode == 3) //@ true covered
    other = asked;
  if (mode == 0) //@ true open
    return 1;
  if (other == 9) //@ true covered, false covered
    return 2;
  return 0;
}
