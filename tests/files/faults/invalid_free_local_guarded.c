// Only the heap buffer is freed: no fault.
// expect: no fault
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
    if (p != local)
        free(p);
    return 0;
}
