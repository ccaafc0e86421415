// A right shift by an amount that becomes negative.
// expect: fault shift-range 9
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n < 40);
    int amount = 30 - n;
    return 12345 >> amount;
}
