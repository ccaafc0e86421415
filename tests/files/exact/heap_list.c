// A linked list on the heap: one node a set bit, reversed, then walked and freed.
// expect: branches 14 feasible 11
// expect: paths 16
// expect: infeasible 17:9:true
// expect: infeasible 33:13:true
// expect: infeasible 40:9:true
#include "labrys.h"
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = list;
    return n;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        if (x >> i & 1)
            list = push(list, i);
    int count = 0, last = 4, bad = 0;
    while (list) {
        struct node *n = list;
        if (n->value >= last)
            bad = 1;
        last = n->value;
        list = n->next;
        free(n);
        count++;
    }
    if (bad)
        return 1;
    return count == 4 ? 2 : count;
}
