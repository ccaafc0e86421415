// setjmp and longjmp: across frames, values, loops of jumps, nested buffers, volatile locals.
// expect: result 2a0000000000000004000000000000000100000000000000650000000000000066000000000000002c010000000000002800000000000000
#include "out.h"
#include <setjmp.h>

static jmp_buf outer, inner;

static void dive(int n) {
    volatile int keep[4] = {n, n, n, n};
    if (n == 0)
        longjmp(outer, 42);
    dive(n - 1);
    keep[0]++;
}
static int protect(int v) {
    switch (setjmp(inner)) {
    case 0:
        if (v > 2)
            longjmp(inner, v);
        return 100 + v;
    case 3:
        return 300;
    default:
        longjmp(outer, v * 10);
    }
}

int main(void) {
    volatile int turns = 0, seen = 0;
    int code = setjmp(outer);
    if (code == 0)
        dive(5);
    out((unsigned)code);
    code = setjmp(outer);
    turns++;
    if (turns < 4)
        longjmp(outer, 0);
    out((unsigned)turns), out((unsigned)code);
    int r = setjmp(outer);
    if (r)
        seen = r;
    else
        for (int i = 1; i < 6; i++)
            out((unsigned)protect(i));
    out((unsigned)seen);
    return finish();
}
