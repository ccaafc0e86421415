// What no machine has cannot be allocated; what is asked for in vain changes nothing.
// expect: result 01000000000000000100000000000000010000000000000001000000000000007800000000000000
#include "out.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = (size_t)-16;
    char *p = malloc(8), *q;
    p[0] = 'x';
    out(malloc(huge) == NULL);
    out(errno == ENOMEM);
    out(calloc(huge, 4) == NULL);
    q = realloc(p, huge);
    out(q == NULL);
    out(p[0]);
    return finish();
}
