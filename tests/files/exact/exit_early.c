// exit ends a run as return from main does; code after it is not reached.
// expect: branches 6 feasible 6
// expect: paths 4
#include "labrys.h"
#include <stdlib.h>

static void finish(int code) {
    if (code > 3)
        exit(0);
    exit(code);
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    if (x > 200)
        finish(x & 7);
    else if (x > 100)
        return 2;
    else
        exit(x == 7);
    return 3;
}
