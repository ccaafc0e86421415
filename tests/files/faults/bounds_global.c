// A table indexed by a difference that may be negative.
// expect: fault out-of-bounds 11
#include "labrys.h"

static const short weights[10] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

int main(void) {
    unsigned char c = labrys_uchar("c");
    if (c > '9')
        return 0;
    return weights[c - '0'];
}
