// Both ends are checked: no fault.
// expect: no fault
#include "labrys.h"

static const short weights[10] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

int main(void) {
    unsigned char c = labrys_uchar("c");
    if (c > '9' || c < '0')
        return 0;
    return weights[c - '0'];
}
