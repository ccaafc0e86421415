// The address of a local is used while its function is active, further down the stack: no fault.
// expect: no fault
#include "labrys.h"

static int *kept;

static int use(void) { return *kept; }

static int remember(int x) {
    int local = x;
    kept = &local;
    int r = use();
    kept = 0;
    return r;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    return remember(x);
}
