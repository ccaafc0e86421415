// A block from malloc is looked at beyond what was filled.
// expect: fault uninitialised-read 15
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n <= 4);
    unsigned char *p = malloc(4);
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
