// The address of a local is used after its function has returned.
// expect: fault use-after-free 16
#include "labrys.h"

static int *kept;

static void remember(int x) {
    int local = x;
    static int other;
    kept = x == 17 ? &local : &other;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    remember(x);
    return *kept;
}
