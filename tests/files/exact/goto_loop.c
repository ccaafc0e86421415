// Loops made of goto, forward and backward, and a jump into a block.
// expect: branches 8 feasible 7
// expect: paths 256
// expect: infeasible 21:13:true
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int turns = 0;
again:
    if (x == 0)
        goto done;
    turns++;
    if (x & 1)
        goto odd;
    x >>= 1;
    goto again;
    {
    odd:
        x = (unsigned char)(x - 1);
        if (x & 1)
            goto again;
        if (turns > 14)
            goto never;
    }
    goto again;
never:
    turns = -1;
done:
    return turns;
}
