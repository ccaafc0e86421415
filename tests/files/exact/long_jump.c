// setjmp and longjmp: the jump is the last thing that happens where it is called.
// expect: branches 9 feasible 8
// expect: paths 4
// expect: infeasible 23:5:case
#include "labrys.h"
#include <setjmp.h>

static jmp_buf out;

static void check(int depth, int x) {
    if (x == depth * 10)
        longjmp(out, depth + 1);
    if (depth < 3)
        check(depth + 1, x);
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    switch (setjmp(out)) {
    case 0:
        check(1, x);
        return 0;
    case 1:
        return 1;
    case 2:
        return 2;
    case 4:
        return 4;
    default:
        return 5;
    }
}
