// volatile, restrict, const, inline, register, _Noreturn, auto; comma operators.
// expect: result 0b00000000000000070000000000000040000000000000001600000000000000210000000000000063000000000000000400000000000000
#include "out.h"

static inline int square(int x) { return x * x; }
static void add(int *restrict to, const int *restrict from, int n) {
    while (n-- > 0)
        *to++ += *from++;
}
static const int limits[] = {1, 2, 3};

int main(void) {
    volatile int v = 5;
    register int fast = v++ + v;
    auto int plain = (v += 2, v * 2, v - 1);
    int a[3] = {10, 20, 30};
    add(a, limits, 3);
    const int *const p = &a[1];
    out((unsigned)fast), out((unsigned)plain), out((unsigned)square(v)), out((unsigned)*p), out((unsigned)a[2]);
    for (int i = 0, j = 10; i < j; i += 2, j--)
        plain += i * j;
    out((unsigned)plain);
    volatile struct { unsigned char a; volatile int b[2]; } s = {1, {2, 3}};
    s.b[1] += s.a;
    out((unsigned)s.b[1]);
    return finish();
}
