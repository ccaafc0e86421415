// The value is read before the free, and the freed pointer is only compared to a flag: no fault.
// expect: no fault
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int *p = malloc(sizeof *p), freed = 0;
    if (!p)
        return 1;
    *p = x;
    if (x == 99) {
        free(p);
        freed = 1;
    }
    int r = freed ? 0 : *p;
    if (!freed)
        free(p);
    return r;
}
