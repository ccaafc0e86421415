// A recursion that never ends for one input.
// expect: fault stack-overflow 9
#include "labrys.h"

static int down(int n) {
    int local[64] = {n};
    if (n == 0)
        return local[0];
    return down(n - 2) + 1;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    labrys_assume(x < 2);
    return down(x * 11);
}
