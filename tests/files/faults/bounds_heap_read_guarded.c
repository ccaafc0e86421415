// Reading the last byte of the block, and not one further: no fault.
// expect: no fault
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    unsigned char *p = calloc(1, n + 1u);
    if (!p)
        return 1;
    int r = p[n] + p[0];
    unsigned char *end = p + n + 1;
    r += end - p;
    free(p);
    return r;
}
