// A shift by the width of the type.
// expect: fault shift-range 8
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n <= 32);
    return (int)(1u << n);
}
