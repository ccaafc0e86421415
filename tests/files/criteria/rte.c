// Operations that can go wrong. A run that divides by zero ends there, so it cannot do so again.
// run rte: --criterion rte

int divide(int a, int b) {
    int q = a / b;
    //~ rte: a / b: {division by zero, overflow}
    //~ fault: division-by-zero ¦ division-overflow
    if (q > 3)
        return a % b;
        //~ rte: infeasible: a % b: {division by zero, overflow}
    return b - 1;
    //~ rte: b - 1: overflow
}

// What constants rule out has no objective.
int constants(int x, unsigned u) {
    int h = x / 2 % 7 + (u / 3u << 2) % sizeof(x / h);
    h = x / -1;
    //~ rte: x / -1: overflow
    //~ fault: division-overflow
    return h > 0 ? 10 / x : 2 * 3 / 4;
    //~ rte: infeasible: 10 / x: division by zero
}

int arithmetic(int a, int b, long w) {
    if (a > 100)
        return a * b;
        //~ rte: a * b: overflow
    if (a < -100)
        return -a;
        //~ rte: -a: overflow
    w = w - a;
    //~ rte: w - a: overflow
    b += a;
    //~ rte: b += a: overflow
    return a + 100;
    //~ rte: infeasible: a + 100: overflow
}

// Small types are computed as int and cannot overflow; unsigned ones wrap around.
int narrow(signed char c, short s, unsigned u) {
    unsigned v = u + 5u * u - -u;
    c += 100;
    //~ rte: infeasible: c += 100: overflow
    return c * s - -s > (int)v;
    //~ rte: infeasible: {c * s - -s, c * s, -s}: overflow
}

int arrays(signed char i, unsigned char j) {
    static const int t[4] = {1, 2, 3, 4};
    int m[2][3] = {{0}};
    if (j < 2)
        return m[j][j + 1] + t[3];
        //~ rte: infeasible: {m[j], m[j][j + 1]}: out of bounds ¦ infeasible: j + 1: overflow
        //~ rte: infeasible: m[j][j + 1] + t[3]: overflow
    return t[i];
    //~ rte: t[i]: out of bounds
    //~ fault: out-of-bounds
}

struct node {
    int v;
    struct node *next;
};

int pointers(struct node *p, int *q) {
    struct node here = {0, 0};
    here.v = p->v;
    //~ rte: p->v: null pointer
    //~ fault: null-dereference
    if (p->next)
        //~ rte: infeasible: p->next: null pointer
        (&here)->v = p->next->v;
        //~ rte: infeasible: p->next: null pointer ¦ infeasible: p->next->v: null pointer
    *q = q[1];
    //~ rte: q[1]: null pointer
    //~ rte: infeasible: *q: null pointer
    //~ fault: null-dereference
    return here.v;
}

int shifts(unsigned a, signed char n, float x, double d) {
    int r = d;
    //~ rte: d: conversion out of range
    r ^= a << 3;
    if (x > 0 && x < 9)
        return (short)x;
        //~ rte: infeasible: (short)x: conversion out of range
    if (n > 0)
        return a >> (n & 31) | a << n;
        //~ rte: infeasible: a >> (n & 31): shift out of range ¦ a << n: shift out of range
        //~ fault: shift-range
    return r;
}

#define RATIO(p, q) ((p) / (q))

static int calls;

static int next(int x) {
    return x - ++calls;
}

// Right before the operation, behind what guards it. An operand with side effects is not evaluated
// twice, so its operation has no label.
int guarded(signed char a, signed char b) {
    if (b && !(a / b > 2))
        //~ rte: infeasible: a / b: {division by zero, overflow}
        return 1;
    if (b > 3 ? RATIO(a, b) > 7 : a % (b - 4) == 0)
        //~ rte: infeasible: (a) / (b): {division by zero, overflow}
        //~ rte: infeasible: a % (b - 4): {division by zero, overflow} ¦ infeasible: b - 4: overflow
        return 2;
    return 10 / next(b);
    //~ fault: division-by-zero
}

// A definition of the old kind, fall-through and a loop.
int falls(k, n)
    int k;
    signed char n;
{
    switch (k) {
    case 1:
        n = 3;
    case 2:
        return 100 / (n - 3);
        //~ rte: 100 / (n - 3): division by zero ¦ infeasible: n - 3: overflow
        //~ fault: division-by-zero
    }
    for (n &= 3; n > 0; n--)
        k -= n;
        //~ rte: k -= n: overflow
    return k;
}
