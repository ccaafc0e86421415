// An even number is never 201: no fault.
// expect: no fault
#include "labrys.h"

extern void reach_error(void);

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned char y = (unsigned char)(x * 6 + 14);
    if (y == 201)
        reach_error();
    return y;
}
