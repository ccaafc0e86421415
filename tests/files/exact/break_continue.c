// break and continue at several depths; one break can never be taken.
// expect: branches 12 feasible 11
// expect: paths 72
// expect: infeasible 18:17:true
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int hits = 0;
    for (int i = 0; i < 4; i++) {
        if (!(x >> i & 1))
            continue;
        for (int j = 4; j < 8; j++) {
            if (x >> j & 1) {
                hits++;
                break;
            }
            if (hits > 4)
                break;
        }
        if (hits == 3)
            break;
    }
    return hits;
}
