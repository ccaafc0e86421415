// A pointer into the middle of a block is freed for some inputs.
// expect: fault invalid-free 15
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    char *p = malloc(16), *q = p;
    if (!p)
        return 1;
    while (x & 64) {
        q++;
        x <<= 1;
    }
    free(q);
    return 0;
}
