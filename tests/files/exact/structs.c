// Structures by value, nested, copied and compared field by field.
// expect: branches 14 feasible 11
// expect: paths 4
// expect: infeasible 32:9:true
// expect: infeasible 32:31:true
// expect: infeasible 35:17:true
// expect: mcdc 32:9 --
// expect: mcdc 35:9 --
#include "labrys.h"

struct point { signed char x, y; };
struct box { struct point low, high; };

static struct box normal(struct box b) {
    struct box r = b;
    if (b.low.x > b.high.x) {
        r.low.x = b.high.x;
        r.high.x = b.low.x;
    }
    if (b.low.y > b.high.y) {
        r.low.y = b.high.y;
        r.high.y = b.low.y;
    }
    return r;
}

int main(void) {
    struct box b = {{0, 0}, {0, 5}};
    b.low.x = labrys_schar("x");
    b.high.y = labrys_schar("y");
    struct box n = normal(b);
    if (n.low.x > n.high.x || n.low.y > n.high.y)
        return 1;
    struct point *p = &n.high;
    if (p->x && p->x < 0)
        return 2;
    return p->y == b.high.y ? 3 : 4;
}
