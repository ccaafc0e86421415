// Function pointers: tables, parameters, returned, compared, in structures, called through casts.
// expect: result 0a000000000000000400000000000000150000000000000063000000000000000100000000000000030000000000000015000000000000001b000000000000002c00000000000000fcffffff000000000100000000000000
#include "out.h"

typedef int binary(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binary *choose(char op) { return op == '+' ? add : op == '-' ? &sub : mul; }
static int (*(*chooser(void))(char))(int, int) { return choose; }

struct object { int state; int (*method)(struct object *, int); };
static int accumulate(struct object *o, int v) { return o->state += v; }
static int twice(binary f, int a) { return f(f(a, a), a); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *largest(void *base, int n, size_t size, int (*cmp)(const void *, const void *)) {
    char *best = base;
    for (char *p = base; n-- > 0; p += size)
        if (cmp(p, best) > 0)
            best = p;
    return best;
}

int main(void) {
    binary *table[] = {add, sub, mul};
    for (int i = 0; i < 3; i++)
        out((unsigned)table[i](7, 3));
    out((unsigned)chooser()('-')(100, 1)), out(choose('*') == mul), out((unsigned)(**choose('+'))(1, 2));
    struct object o = {10, accumulate};
    o.method(&o, 5);
    out((unsigned)(o.method)(&o, 6)), out((unsigned)twice(mul, 3));
    int values[] = {3, 44, 9};
    out((unsigned)*(int *)largest(values, 3, sizeof *values, compare));
    void (*erased)(void) = (void (*)(void))sub;
    out((unsigned)((binary *)erased)(5, 9)), out(erased != (void (*)(void))add);
    return finish();
}
