// The divisor is odd, so it is never zero: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int d = 2 * x - 101;
    return 1000 / d + 1000 % d;
}
