// The error path frees what the common exit frees again.
// expect: fault double-free 13
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    char *p = malloc(8);
    if (!p)
        return 1;
    if (x > 250)
        free(p);
    free(p);
    return 0;
}
