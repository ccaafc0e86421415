// A variadic function whose count comes from the input.
// expect: branches 10 feasible 9
// expect: paths 9
// expect: infeasible 27:9:true
#include "labrys.h"
#include <stdarg.h>

static int largest(int count, ...) {
    va_list list;
    int best = -1000;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        int v = va_arg(list, int);
        if (v > best)
            best = v;
    }
    va_end(list);
    return best;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    signed char y = labrys_schar("y");
    int m = largest(x & 3, 5, (int)y, 7);
    if (m == -1000)
        return 1;
    if (m < 5)
        return 2;
    return m > 7 ? 3 : m;
}
