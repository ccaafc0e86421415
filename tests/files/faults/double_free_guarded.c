// The pointer is set to NULL after the first free, and free(NULL) is allowed: no fault.
// expect: no fault
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    char *p = malloc(8);
    if (!p)
        return 1;
    if (x > 250) {
        free(p);
        p = NULL;
    }
    free(p);
    p = malloc(8);
    free(p);
    return 0;
}
