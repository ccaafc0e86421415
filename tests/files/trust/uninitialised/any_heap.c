// With --uninitialised any, new heap memory is an input; calloc's is still zero.
// arguments: --function heap --uninitialised any --trust environment
#include <stdlib.h>
int heap(void) {
    int *p = malloc(2 * sizeof *p);
    int *q = calloc(2, sizeof *q);
    int r = 0;
    if (p[1] == 1234) //@ true covered, false covered
        r |= 1;
    if (q[1] == 1234) //@ true infeasible, false covered
        r |= 2;
    free(p);
    free(q);
    return r;
}
