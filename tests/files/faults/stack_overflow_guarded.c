// A recursion whose depth is bounded by the input: no fault.
// expect: no fault
#include "labrys.h"

static int down(int n) {
    int local[64] = {n};
    if (n <= 0)
        return local[0];
    return down(n - 2) + 1;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    return down(x);
}
