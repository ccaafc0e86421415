// A table of functions with a hole.
// expect: fault null-dereference 12
#include "labrys.h"

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const handlers[4])(void) = {one, two, 0, one};

int main(void) {
    unsigned char x = labrys_uchar("x");
    labrys_assume(x < 4);
    return handlers[x]();
}
