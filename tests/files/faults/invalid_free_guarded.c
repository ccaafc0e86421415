// The pointer moves through the block but its beginning is freed: no fault.
// expect: no fault
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
    q -= q - p;
    free(q);
    return 0;
}
