// printf, puts and putchar as captured output; calloc, realloc and free.
// expect: result 0a00000000000000010000000000000071000000000000000a00000000000000000000000000000031000000000000000200000000000000
#include "out.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    out((unsigned)printf("%d %s %c\n", -5, "text", 'x'));
    out((unsigned)puts("line") > 0), out((unsigned)putchar('q')), out((unsigned)putchar('\n'));
    int *p = calloc(4, sizeof *p);
    if (!p)
        return 1;
    out((unsigned)(p[0] + p[3]));
    for (int i = 0; i < 4; i++)
        p[i] = i + 1;
    int *q = realloc(p, 64 * sizeof *q);
    if (!q)
        return 1;
    q[63] = 9;
    out((unsigned)(q[3] * 10 + q[63]));
    q = realloc(q, 2 * sizeof *q);
    if (!q)
        return 1;
    out((unsigned)q[1]);
    free(q);
    free(NULL);
    return finish();
}
