// A write through a pointer that is set only in some cases.
// expect: fault null-dereference 11
#include "labrys.h"
#include <stddef.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int slot = 0, *p = NULL;
    if (x % 7 != 3)
        p = &slot;
    *p = x;
    return slot;
}
