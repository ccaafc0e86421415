// The same calls with arguments that are in range: no fault.
// expect: no fault
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
    labrys_assume(n <= 8);
    int sum = divide(2 * x - 3) + pick(x & 3);
    memset(text, 1, n);
    return sum + divide(1);
}
