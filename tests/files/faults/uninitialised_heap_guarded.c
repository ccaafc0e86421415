// calloc sets everything to zero: no fault.
// expect: no fault
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n <= 4);
    unsigned char *p = calloc(4, 1);
    if (!p)
        return 1;
    for (int i = 0; i < n; i++)
        p[i] = 7;
    int r = 0;
    if (p[3] > 5)
        r = 1;
    free(p);
    return r;
}
