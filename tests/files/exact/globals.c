// Globals that calls change between two looks at them.
// expect: branches 16 feasible 13
// expect: paths 4
// expect: infeasible 24:9:true
// expect: infeasible 27:22:true
// expect: infeasible 32:9:true
// expect: mcdc 27:9 --
// expect: mcdc 30:9 UU
#include "labrys.h"

static int mode = 1;
int level;
static int history[3];

static void set(int m) {
    history[mode % 3] = level;
    mode = m;
    if (m == 2)
        level += 5;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    if (mode != 1)
        return 1;
    set(x & 3);
    if (mode == 2 && level == 0)
        return 2;
    set(x >> 6);
    if (mode == 2 && level == 10)
        return 3;
    if (history[1] != 0)
        return 4;
    return history[2] == 5 ? 5 : 6;
}
