// Nested ifs: the outcome of an outer condition makes an inner one infeasible.
// expect: branches 14 feasible 11
// expect: paths 5
// expect: infeasible 12:17:true
// expect: infeasible 17:20:true
// expect: infeasible 20:13:true
#include "labrys.h"

static int classify(int x) {
    if (x < 100) {
        if (x < 50) {
            if (x > 60)
                return 1;
            if (x == 7)
                return 2;
            return 3;
        } else if (x < 50) {
            return 4;
        }
        if (x >= 100)
            return 5;
    } else {
        if (x > 200)
            return 6;
    }
    return 7;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    return classify(x);
}
