// Statement expressions and macros that hide conditions.
// expect: branches 16 feasible 13
// expect: paths 5
// expect: infeasible 19:10:false
// expect: infeasible 19:10:false
// expect: infeasible 27:29:true
#include "labrys.h"

#define CLAMP(v, low, high)                                \
    ({                                                     \
        int v_ = (v);                                      \
        v_ < (low) ? (low) : v_ > (high) ? (high) : v_;    \
    })
#define WITHIN(v, low, high) ((v) >= (low) && (v) <= (high))

int main(void) {
    unsigned char x = labrys_uchar("x");
    int c = CLAMP(x, 10, 20);
    if (!WITHIN(c, 10, 20))
        return 1;
    int big = ({
        int t = 0;
        for (int i = 0; i < 3; i++)
            t += x > 100 * i;
        t;
    });
    if (WITHIN(x, 5, 15) && big == 3)
        return 2;
    return big;
}
