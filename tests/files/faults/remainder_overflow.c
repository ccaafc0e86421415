// The remainder overflows as the division does.
// expect: fault division-overflow 10
#include "labrys.h"
#include <limits.h>

int main(void) {
    signed char d = labrys_schar("d");
    labrys_assume(d != 0);
    long n = LONG_MIN + (d > 0);
    return (int)(n % d);
}
