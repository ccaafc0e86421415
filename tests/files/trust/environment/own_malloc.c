// The program's own malloc may return null, and keeps state between two calls of the function.
// arguments: --function take
#include <stddef.h>

static char pool[64];
static size_t used;

void *malloc(size_t size) {
    if (used + size > sizeof pool)
        return NULL;
    used += size;
    return pool + used - size;
}

int take(int n) {
    if (n < 0 || n > 100)
        return -1;
    char *p = malloc(n);
    if (!p) //@ true covered, false covered
        return 1;
    if (p != pool) //@ true covered, false covered
        return 2;
    return 0;
}
