// With --faults-of-environment an allocation fails where an input says so.
// arguments: --function pair --faults-of-environment
#include <errno.h>
#include <stdlib.h>

int pair(int n) {
    char *first = malloc(8);
    if (!first) { //@ true covered, false covered
        if (errno == ENOMEM) //@ true covered
            return 1;
        return 2;
    }
    char *second = malloc(8);
    if (!second) { //@ true covered, false covered
        free(first);
        return 3;
    }
    free(first);
    free(second);
    if (n > 3)
        if (n < 2) //@ true infeasible, false covered
            return 4;
    return 0;
}
