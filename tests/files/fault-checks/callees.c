// Faults in functions that are called from two places, and in the library below a call: the place
// of a fault is the line of the user's code.
// expect: fault division-by-zero 13
// expect: fault out-of-bounds 17
// expect: fault out-of-bounds 25
#include "labrys.h"
#include <string.h>

static int values[4] = {1, 2, 3, 4};
static char text[8];

static int divide(int by) {
    return 100 / by;
}

static int pick(unsigned at) {
    return values[at];
}

int main(void) {
    unsigned char x = labrys_uchar("x"), n = labrys_uchar("n");
    labrys_assume(x < 8);
    labrys_assume(n < 12);
    int sum = divide(x - 3) + pick(x);
    memset(text, 1, n);
    return sum + divide(1);
}
