// Objects that live at the same time have different addresses.
// arguments: --function differ --trust environment
#include <stdlib.h>
static int a, b;
int differ(int c) {
    int p = c, *q = malloc(sizeof *q), *r = malloc(sizeof *r);
    int *x = c > 3 ? &p : &a;
    if (x == &b) //@ true infeasible, false covered
        return 1;
    if (q == r) //@ true infeasible, false covered
        return 2;
    if (x == q) //@ true infeasible, false covered
        return 3;
    if (x == &p) //@ true covered, false covered
        return 4;
    return 0;
}
