// A loop that writes as many bytes as the input says into a buffer of 16.
// expect: fault out-of-bounds 10
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    char buffer[16];
    labrys_assume(n < 20);
    for (int i = 0; i < n; i++)
        buffer[i] = 'x';
    return n ? buffer[0] : 0;
}
