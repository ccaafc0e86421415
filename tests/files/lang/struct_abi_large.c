// Structures over 16 bytes, with nested arrays and mixed members; too many for registers.
// expect: result 160000000000000003000000000004006600000000000000310000000000000030000000000000003c03000000001043b4000000000000000500000000000000620000000000000000000000000004400200000000000000ffffffff00000000
#include "out.h"

struct big { long a[3]; };
struct odd { char c[17]; };
struct nest { struct { float x; double y; } in[2]; unsigned char tag; };
struct huge { int v[10]; };
struct mix { char a; long double b; };

static struct big add(struct big x, struct big y) {
    for (int i = 0; i < 3; i++)
        x.a[i] += y.a[i];
    return x;
}
static struct odd turn(struct odd o) {
    for (int i = 0; i < 8; i++) {
        char t = o.c[i];
        o.c[i] = o.c[16 - i];
        o.c[16 - i] = t;
    }
    return o;
}
static double total(int a, double d, struct nest n, float f, struct big b, long l) {
    return a + d + n.in[0].x + n.in[1].y + n.tag + f + (double)b.a[2] + (double)l;
}
static int many(struct huge h, int a, int b, int c, int d, int e, int f, int g, struct huge k, int i) {
    h.v[0] = 1000;
    return h.v[9] + k.v[0] + a + b * c + d * e + f * g + i;
}
static struct mix half(struct mix m) { m.b /= 2; m.a++; return m; }

int main(void) {
    struct big b = add((struct big){{1, 2, 3}}, (struct big){{10, 20, 1L << 50}});
    out((unsigned long)b.a[1]), out((unsigned long)b.a[2]);
    struct odd o = {"0123456789abcdef"};
    struct odd t = turn(o);
    out((unsigned)t.c[1]), out((unsigned)o.c[1]), out((unsigned)t.c[16]);
    struct nest n = {{{1.5f, 2.5}, {3.5f, 4.5}}, 200};
    out_double(total(1, 2, n, 0.125f, b, -5));
    struct huge h = {{5, 4, 3, 2, 1, 0, 9, 8, 7, 6}};
    out((unsigned)many(h, 1, 2, 3, 4, 5, 6, 7, h, 100)), out((unsigned)h.v[0]);
    struct mix m = half((struct mix){'a', 5.0L});
    out((unsigned)m.a), out_double((double)m.b);
    struct huge copy = h, *p = &copy;
    p->v[3] = -1;
    out((unsigned)h.v[3]), out((unsigned)(*p).v[3]);
    return finish();
}
