// An allocation may fail wherever its result is looked at.
// arguments: --function boxes
#include <stdlib.h>
#include <string.h>

struct box { int value; struct box *next; };

int boxes(int n) {
    if (n == 1) {
        int *p = malloc(sizeof *p);
        if (!p) //@ true unknown library malloc succeeds, false covered
            return 1;
        *p = n;
        if (!p) //@ true infeasible, false covered
            return 2;
        free(p);
        return 3;
    }
    if (n == 2) {
        char *p = calloc(4, 1);
        if (p == NULL) //@ true unknown library calloc succeeds, false covered
            return 4;
        char *q = realloc(p, 8);
        if (q == NULL) //@ true unknown library realloc succeeds, false covered
            return 5;
        char *r = strdup("x");
        return r ? 6 : 7; //@ true covered, false unknown library strdup succeeds
    }
    struct box *first = malloc(sizeof *first);
    first->next = malloc(sizeof *first);
    first->next->next = NULL;
    int count = 0;
    for (struct box *b = first; b; b = b->next) //@ true covered, false covered
        count++;
    if (count == 3) //@ true infeasible, false covered
        return 8;
    return n;
}
