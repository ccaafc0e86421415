// Compound literals, statement expressions, _Generic, typeof, _Static_assert, _Alignof.
// expect: result 0f00000000000000040000000000000017000000000000000000000000000000010000000000000001000000000000000200000000000000030000000000000004000000000000000500000000000000060000000000000008000000000000000100000000000000090000000000000007000000000000000c00000000000000000000000000104009000000000000000a00000000000000100000000000000004000000000000000600000000000000
#include "out.h"

struct p { int x, y; };
#define KIND(v) _Generic((v), int: 1, unsigned: 2, long: 3, double: 4, float: 5, char *: 6, const char *: 7, struct p: 8, default: 9)
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
_Static_assert(sizeof(struct p) == 8, "layout");

static int area(const struct p *p) { return p->x * p->y; }

int main(void) {
    int i = 3;
    out((unsigned)area(&(struct p){i++, i + 1})), out((unsigned)i);
    int *a = (int[4]){1, 2, 3};
    a[3] += a[1]++;
    out((unsigned)(a[3] * 10 + a[1]));
    for (int k = 0; k < 2; k++) {
        struct p *q = &(struct p){.y = k};
        out((unsigned)(q->x++ + q->y));
    }
    out(KIND(1)), out(KIND(1u)), out(KIND(1L)), out(KIND(1.0)), out(KIND(1.f)), out(KIND("s")), out(KIND((struct p){0})), out(KIND('c')), out(KIND((short)1)), out(KIND((const char *)0));
    out((unsigned)MAX(i * 3, 7)), out_double(MAX(2.5, i)), out((unsigned)MAX(MAX(1, 9), MAX(4, 3)));
    out((unsigned)({ int s = 0; for (int k = 0; k < 5; k++) s += k; s; }));
    out(_Alignof(long double)), out(_Alignof(struct p)), out((unsigned)((struct p){5, 6}).y);
    return finish();
}
