// INT_MIN is never divided by minus one; a char is, in the width of int: no fault.
// expect: no fault
#include "labrys.h"
#include <limits.h>

int main(void) {
    signed char d = labrys_schar("d");
    if (d == 0)
        return 0;
    int r = d == -1 ? 0 : INT_MIN / d;
    return r ^ SCHAR_MIN / d ^ (INT_MIN + 1) / d;
}
