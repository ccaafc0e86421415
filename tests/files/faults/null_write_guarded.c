// The pointer is null exactly where it is not used: no fault.
// expect: no fault
#include "labrys.h"
#include <stddef.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int slot = 0, *p = NULL;
    if (x % 7 != 3)
        p = &slot;
    if ((x + 4) % 7 != 0)
        *p = x;
    return slot;
}
