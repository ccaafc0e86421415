// Low bits of an address: those that the type's alignment keeps free are a fact, the others depend on
// where the object lies.
// arguments: --function aligned
#include <stdint.h>
#include <stdlib.h>
int aligned(int *p, char *s) {
    int r = 0;
    if (p == 0 || s == 0)
        return -1;
    if ((uintptr_t)p & 3) //@ true infeasible
        r |= 1;
    char *heap = malloc(40);
    if ((uintptr_t)heap & 15) //@ true infeasible
        r |= 2;
    free(heap);
    long word = 0;
    if (((uintptr_t)&word & 7) != 0) //@ true infeasible
        r |= 4;
    return r;
}
