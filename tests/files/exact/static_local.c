// A static local keeps its value over the calls of one run.
// expect: branches 8 feasible 6
// expect: paths 4
// expect: infeasible 12:9:true
// expect: infeasible 25:9:true
#include "labrys.h"

static int ticket(int step) {
    static int last = 10;
    static int calls;
    calls++;
    if (calls > 3)
        return -1;
    last += step;
    if (last > 13)
        last = 0;
    return last;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    ticket(x & 3);
    ticket(x >> 2 & 3);
    int t = ticket(x >> 4 & 3);
    if (t < 0)
        return 1;
    return t == 0 ? 2 : 3;
}
