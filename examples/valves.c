/* Counts the valves that are out of order and fires an alarm if there are too many: the controller of
 * the paper on bidirectional symbolic analysis (docs/papers.md, figure 1). No loop has a bound. The
 * checks in status_of can never fail, since its only caller has made sure of them. */
#include <stdio.h>
#include <stdlib.h>

#ifndef TOLERANCE
#define TOLERANCE 2
#endif

extern int size;
extern int valves[];

static int status_of(int i) {
    if (i < 0 || i >= size) {
        printf("ERROR");
        exit(EXIT_FAILURE);
    }
    return valves[i];
}

int check_valves(int wait1, int wait2) {
    while (wait1 > 0)
        wait1--;
    int count = 0, i = 0;
    while (i < size) {
        if (status_of(i) == -1)
            count++;
        i++;
    }
    if (count > TOLERANCE)
        printf("ALARM");
    while (wait2 > 0)
        wait2--;
    return count;
}
