// Comparisons at, beside and far from their boundary.
// run boundary: --criterion boundary

// A comparison below `!` counts as it is written; the second is evaluated only where the first
// holds.
int order(signed char x, unsigned u) {
    if (x < 10 && !(u >= 1))
        //~ boundary: {x < 10, u >= 1}: {equal, one less, one more, well inside}
        return 1;
    if (x == 10 || !!(u != 4))
        //~ boundary: x == 10: {equal, one less, one more, well outside}
        //~ boundary: u != 4: {equal, one less, one more, well inside}
        return 2;
    return x < u;
}

// Behind x > 10, x is never near 5. Nothing is below 0, above 127 or near 300.
int edges(signed char x, unsigned char u) {
    if (x > 10 && x < 5)
        //~ boundary: x > 10: {equal, one less, one more, well inside}
        //~ boundary: infeasible: x < 5: {equal, one less, one more, well inside}
        return 1;
    if (u < 0 || x <= 127 || sizeof(int) == 4)
        //~ boundary: u < 0: equal ¦ u < 0: one more ¦ infeasible: u < 0: one less ¦ infeasible: u < 0: well inside
        //~ boundary: x <= 127: {equal, one less, well inside} ¦ infeasible: x <= 127: one more
        return x < 300 ? 2 : 3;
        //~ boundary: infeasible: x < 300: {equal, one less, one more} ¦ x < 300: well inside
    return 4;
}

// The usual conversions come first: -1 is the largest unsigned number, so it is never one less. The
// differences of the 64-bit numbers do not fit into 64 bits.
int wide(signed char x, unsigned u, long long a, long long b) {
    if (x == -1 && x >= u)
        //~ boundary: x == -1: {equal, one less, one more, well outside}
        //~ boundary: x >= u: {equal, one more, well inside} ¦ infeasible: x >= u: one less
        return 1;
    return a > b ? 2 : 3;
    //~ boundary: a > b: {equal, one less, one more, well inside}
}

// Floating point has no neighbours; of what is not a number none holds.
int reals(float f, double d) {
    if (f < 1.5f || !(d == d))
        //~ boundary: f < 1.5f: {equal, less, greater}
        //~ boundary: d == d: equal ¦ infeasible: d == d: {less, greater}
        return 1;
    return 0;
}

// Pointers in elements; whether two are the same has no boundary.
int pointers(unsigned char n) {
    static int t[4];
    int *p = t + n % 4, *q = t + 2;
    if (p < q)
        //~ boundary: p < q: {equal, one less, one more, well inside}
        return 1;
    return p == q ? 2 : !p;
}

static int calls;

static int next(int x) {
    calls++;
    return x - 1;
}

#define NEAR(v) ((v) >= 20)

// Operands with side effects are evaluated once. With i at 3 the loop ends; k wraps below zero. The
// second call counts to 2, later ones further.
int effects(signed char x, unsigned char k) {
    int i;
    for (i = 0; i < 3; i++)
        //~ boundary: i < 3: {equal, one less, well inside} ¦ infeasible: i < 3: one more
        ;
    if (next(x) <= i++ || calls != 1)
        //~ boundary: next(x) <= i++: {equal, one less, one more, well inside}
        //~ boundary: calls != 1: {equal, one more} ¦ unknown: calls != 1: {one less, well inside}
        return i;
    do
        k &= 3;
    while (k-- > 2);
    //~ boundary: k-- > 2: {equal, one less, one more} ¦ infeasible: k-- > 2: well inside
    return NEAR(x) && NEAR(k) ? 1 : 0;
    //~ boundary: (x) >= 20: {equal, one less, one more, well inside}
    //~ boundary: infeasible: (k) >= 20: {equal, one less, one more} ¦ (k) >= 20: well inside
}

struct small {
    unsigned a : 2;
    signed b : 3;
};
enum level { LOW, HIGH = 4 };

// Bit-fields, enumerators, and comparisons in a switch that control falls into.
int fields(struct small s, enum level l, signed char v) {
    switch (v) {
    case 1:
        if (s.a >= 3)
            //~ boundary: s.a >= 3: {equal, one less} ¦ infeasible: s.a >= 3: {one more, well inside}
            v = 7;
    case 2:
        return l == HIGH || s.b > v - 4;
        //~ boundary: l == HIGH: {equal, one less, one more, well outside}
        //~ boundary: s.b > v - 4: {equal, one less, one more, well inside}
    }
    return 0;
}
