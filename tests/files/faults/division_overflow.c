// INT_MIN divided by minus one.
// expect: fault division-overflow 11
#include "labrys.h"
#include <limits.h>

int main(void) {
    signed char d = labrys_schar("d");
    if (d == 0)
        return 0;
    int most = INT_MIN;
    return most / d;
}
