// The error function of the Test-Comp dialect is called.
// expect: fault reach-error 11
#include "labrys.h"

extern void reach_error(void);

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned char y = (unsigned char)(x * 7 + 13);
    if (y == 200)
        reach_error();
    return y;
}
