// Fall-through must not count as a jump to the next case: case 4 and 5 are only fallen into.
// expect: branches 5 feasible 3
// expect: paths 3
// expect: infeasible 13:5:case
// expect: infeasible 15:5:case
#include "labrys.h"

static int step(unsigned op) {
    int r = 0;
    switch (op) {
    case 1:
        r += 1;
    case 4:
        r += 10;
    case 5:
        r += 100;
        break;
    case 2:
        r = 7;
    default:
        r += 1000;
    }
    return r;
}

int main(void) {
    unsigned char op = labrys_uchar("op");
    return step(op & 3);
}
