// An enumeration as a state: transitions by switch, impossible states by construction.
// expect: branches 13 feasible 11
// expect: paths 16
// expect: infeasible 13:13:default
// expect: infeasible 27:9:true
#include "labrys.h"

enum light { RED, GREEN = 4, YELLOW, OFF = -1 };

static enum light next(enum light l, int fault) {
    if (fault)
        return OFF;
    switch (l) {
    case RED: return GREEN;
    case GREEN: return YELLOW;
    case YELLOW: return RED;
    case OFF: return OFF;
    }
    return OFF;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    enum light l = RED;
    for (int i = 0; i < 4; i++)
        l = next(l, x >> i & 1);
    if (l == YELLOW)
        return 1;
    return l == OFF ? 2 : 3;
}
