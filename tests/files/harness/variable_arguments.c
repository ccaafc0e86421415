// Variable arguments that the harness does not make may have any value.
// arguments: --function largest
// expect: branches 6 infeasible 0
#include <stdarg.h>

int largest(int count, ...) {
    va_list list;
    int best = 0;
    va_start(list, count);
    while (count-- > 0) {
        int next = va_arg(list, int);
        if (next > best)
            best = next;
    }
    va_end(list);
    return best > 100 ? 100 : best;
}
