// No square ends in the digit 2, 3, 7 or 8: no fault.
// expect: no fault
#include "labrys.h"
#include <assert.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int last = x * x % 10;
    assert(last != 2 && last != 3 && last != 7 && last != 8);
    return last;
}
