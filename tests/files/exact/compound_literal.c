// Compound literals, as arguments, arrays and assigned structures.
// expect: branches 16 feasible 15
// expect: paths 7
// expect: infeasible 25:9:true
// expect: mcdc 27:9 UU
// expect: mcdc 29:12 UU
#include "labrys.h"

struct pair { int a, b; };

static int total(const struct pair *p, int n) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += p[i].a < p[i].b ? p[i].a : p[i].b;
    return t;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    struct pair last = (struct pair){x, 100};
    if (x & 1)
        last = (struct pair){.b = 3};
    int t = total((struct pair[]){{x, 10}, last}, 2);
    int at = ((int[]){0, 1, 2, 3})[x & 3];
    if (t > 110)
        return 1;
    if (t == 110 && at)
        return 2;
    return t == 10 && at == 3 ? 3 : 4;
}
