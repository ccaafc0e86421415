// A table-driven state machine over bits: recognises multiples of three.
// expect: branches 12 feasible 10
// expect: paths 3
// expect: infeasible 15:23:true
// expect: infeasible 18:16:false
// expect: mcdc 15:9 --
#include "labrys.h"

int main(void) {
    static const unsigned char next[3][2] = {{0, 1}, {2, 0}, {1, 2}};
    unsigned char x = labrys_uchar("x");
    int state = 0;
    for (int bit = 7; bit >= 0; bit--)
        state = next[state][x >> bit & 1];
    if (state == 0 && x % 3 != 0)
        return 1;
    if (state == 2)
        return x % 3 == 2 ? 2 : 3;
    return state == 1 ? 4 : 5;
}
