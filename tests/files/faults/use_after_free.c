// A list node is freed in one case and still read.
// expect: fault use-after-free 14
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = x;
    if (x == 99)
        free(p);
    int r = *p;
    if (x != 99)
        free(p);
    return r;
}
