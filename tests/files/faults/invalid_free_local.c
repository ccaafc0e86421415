// A small buffer lives on the stack, a large one on the heap; the wrong one is freed.
// expect: fault invalid-free 15
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    char local[32], *p = local;
    if (n > 32)
        p = malloc(n);
    if (!p)
        return 1;
    p[0] = 1;
    if (n >= 32)
        free(p);
    return 0;
}
