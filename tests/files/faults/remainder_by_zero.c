// The remainder by a difference that is zero for one input.
// expect: fault division-by-zero 8
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned d = x * 3u - 153u;
    return (int)(1000u % d);
}
