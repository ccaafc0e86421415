// Reading a heap block of n bytes at n.
// expect: fault out-of-bounds 12
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    unsigned char *p = calloc(1, n + 1u);
    if (!p)
        return 1;
    int last = n == 42 ? n + 1 : n;
    int r = p[last];
    free(p);
    return r;
}
