// malloc may return the address of memory that was freed, and realloc may leave it in its place.
// arguments: --function again --trust environment
#include <stdint.h>
#include <stdlib.h>
int again(int c) {
    char *p = malloc(16);
    char *live = malloc(16);
    uintptr_t old = (uintptr_t)p;
    p[0] = (char)c;
    if (p == live) //@ true infeasible, false covered
        return 9;
    char *q = realloc(p, 32);
    if (q[0] == (char)c) //@ true covered, false infeasible
        c = 0;
    int r = 0;
    if ((uintptr_t)q == old) //@ true open, false open
        r |= 1;
    free(q);
    free(live);
    return r + c;
}
