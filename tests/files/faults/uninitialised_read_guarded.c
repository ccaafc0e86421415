// Unset values are copied but never decide anything: no fault.
// expect: no fault
#include "labrys.h"

struct record { char tag; int value; };

int main(void) {
    unsigned char x = labrys_uchar("x");
    struct record r, copy;
    int mode;
    r.tag = 1;
    if (x & 1)
        r.value = mode = 3;
    copy = r;
    if (x & 1 && copy.value == 3 && mode == 3)
        return copy.tag;
    return 0;
}
