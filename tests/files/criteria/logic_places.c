// Contradictions, repeated and constant conditions, other types, pointers, decisions inside
// decisions, old definitions and empty loops under the criteria of decisions.
// run branch: --criterion branch
// run decision: --criterion decision
// run condition: --criterion condition
// run both = decision condition: --criterion decision-condition
// run multiple: --criterion multiple-condition
// run pairs: --criterion multiple-condition --n 2
// run gacc: --criterion gacc
// run gicc: --criterion gicc

// `condition` looks at x < 5 although `&&` would skip it.
int repeats(signed char x) {
    if (x > 10 && x < 5)
        //~ branch: x > 10 is {true, false} ¦ infeasible: x < 5 is true ¦ x < 5 is false
        //~ condition: {x > 10, x < 5} is {true, false}
        //~ decision: infeasible: x > 10 && x < 5 is true ¦ x > 10 && x < 5 is false
        //~ multiple pairs: infeasible: x > 10 is true, x < 5 is true
        //~ multiple pairs: x > 10 is true, x < 5 is false ¦ x > 10 is false, x < 5 is {true, false}
        //~ gacc: infeasible: {x > 10, x < 5} is true and decides x > 10 && x < 5
        //~ gacc: {x > 10, x < 5} is false and decides x > 10 && x < 5
        //~ gicc: {x > 10, x < 5} is {true, false} and does not decide, x > 10 && x < 5 is false
        //~ gicc: infeasible: {x > 10, x < 5} is {true, false} and does not decide, x > 10 && x < 5 is true
        return 1;
    if (x > 3 && x > 3)
        //~ branch: x > 3 is {true, false} ¦ x > 3 is true ¦ infeasible: x > 3 is false
        //~ condition: x > 3 is {true, false} ¦ x > 3 is {true, false}
        //~ decision: x > 3 && x > 3 is {true, false}
        //~ multiple pairs: x > 3 is true, x > 3 is true ¦ x > 3 is false, x > 3 is false
        //~ multiple pairs: infeasible: x > 3 is true, x > 3 is false ¦ infeasible: x > 3 is false, x > 3 is true
        //~ gacc: x > 3 is true and decides x > 3 && x > 3 ¦ x > 3 is true and decides x > 3 && x > 3
        //~ gacc: infeasible: {x, x} > 3 is false and decides x > 3 && x > 3
        //~ gicc: {x, x} > 3 is false and does not decide, x > 3 && x > 3 is false
        //~ gicc: infeasible: {x, x} > 3 is true and does not decide, x > 3 && x > 3 is false
        //~ gicc: infeasible: {x, x} > 3 is {true, false} and does not decide, x > 3 && x > 3 is true
        return 2;
    return x == 1 || !(x == 1);
    //~ branch: x == 1 is {true, false} ¦ !(x == 1) is true ¦ infeasible: !(x == 1) is false
    //~ condition: {x == 1, !(x == 1)} is {true, false}
    //~ multiple pairs: x == 1 is true, !(x == 1) is false ¦ x == 1 is false, !(x == 1) is true
    //~ multiple pairs: infeasible: x == 1 is true, !(x == 1) is true
    //~ multiple pairs: infeasible: x == 1 is false, !(x == 1) is false
    //~ gacc: {x == 1, !(x == 1)} is true and decides x == 1 || !(x == 1)
    //~ gacc: infeasible: {x == 1, !(x == 1)} is false and decides x == 1 || !(x == 1)
    //~ gicc: {x == 1, !(x == 1)} is false and does not decide, x == 1 || !(x == 1) is true
    //~ gicc: infeasible: {x == 1, !(x == 1)} is true and does not decide, x == 1 || !(x == 1) is true
    //~ gicc: infeasible: {x == 1, !(x == 1)} is {true, false} and does not decide, x == 1 || !(x == 1) is false
}

// A constant condition has no objectives, and keeps its value in the predicates of the others.
int constants(unsigned char x) {
    if (sizeof(int) == 4 && x > 7)
        //~ branch condition multiple pairs: x > 7 is {true, false}
        //~ decision: sizeof(int) == 4 && x > 7 is {true, false}
        //~ gacc: x > 7 is {true, false} and decides sizeof(int) == 4 && x > 7
        //~ gicc: infeasible: x > 7 is {true, false} and does not decide, sizeof(int) == 4 && x > 7 is {true, false}
        return 1;
    while (1) {
        if (x || 0)
            //~ branch condition multiple pairs: x is {true, false}
            //~ decision: x || 0 is {true, false}
            //~ gacc: x is {true, false} and decides x || 0
            //~ gicc: infeasible: x is {true, false} and does not decide, x || 0 is {true, false}
            break;
        x = 3;
    }
    do
        x--;
    while (0);
    return x > 300;
}

struct bits {
    unsigned a : 3;
    int b : 2;
};

// Not a number, wrap-around and bit-fields. The last line is reached only where u is 0.
int kinds(float f, unsigned u, struct bits s) {
    if (f > 0 && f < f)
        //~ branch condition: f > 0 is {true, false} ¦ infeasible: f < f is true ¦ f < f is false
        //~ decision: infeasible: f > 0 && f < f is true ¦ f > 0 && f < f is false
        //~ multiple pairs: f > 0 is {true, false}, f < f is false ¦ infeasible: f > 0 is {true, false}, f < f is true
        //~ gacc: infeasible: f > 0 is {true, false} and decides f > 0 && f < f
        //~ gacc: infeasible: f < f is true and decides f > 0 && f < f ¦ f < f is false and decides f > 0 && f < f
        //~ gicc: f > 0 is {true, false} and does not decide, f > 0 && f < f is false
        //~ gicc: f < f is false and does not decide, f > 0 && f < f is false
        //~ gicc: infeasible: f < f is true and does not decide, f > 0 && f < f is false
        //~ gicc: infeasible: {f > 0, f < f} is {true, false} and does not decide, f > 0 && f < f is true
        return 1;
    if (f != f || u - 1 < u)
        //~ branch condition: {f != f, u - 1 < u} is {true, false}
        //~ decision: f != f || u - 1 < u is {true, false}
        //~ multiple pairs: f != f is {true, false}, u - 1 < u is {true, false}
        //~ gacc: {f != f, u - 1 < u} is {true, false} and decides f != f || u - 1 < u
        //~ gicc: {f != f, u - 1 < u} is {true, false} and does not decide, f != f || u - 1 < u is true
        //~ gicc: infeasible: {f != f, u - 1 < u} is {true, false} and does not decide, f != f || u - 1 < u is false
        return 2;
    return s.a > 6 && s.b == -2 && !u;
    //~ branch condition: {s.a > 6, s.b == -2} is {true, false} ¦ !u is true ¦ infeasible: !u is false
    //~ multiple: s.a > 6 is {true, false}, s.b == -2 is {true, false}, !u is true
    //~ multiple: infeasible: s.a > 6 is {true, false}, s.b == -2 is {true, false}, !u is false
    //~ pairs: s.a > 6 is {true, false}, s.b == -2 is {true, false}
    //~ pairs: {s.a > 6, s.b == -2} is {true, false}, !u is true
    //~ pairs: infeasible: {s.a > 6, s.b == -2} is {true, false}, !u is false
    //~ gacc: {s.a > 6, s.b == -2} is {true, false} and decides s.a > 6 && s.b == -2 && !u
    //~ gacc: !u is true and decides s.a > 6 && s.b == -2 && !u
    //~ gacc: infeasible: !u is false and decides s.a > 6 && s.b == -2 && !u
    //~ gicc: {s.a > 6, s.b == -2} is {true, false} and does not decide, s.a > 6 && s.b == -2 && !u is false
    //~ gicc: !u is true and does not decide, s.a > 6 && s.b == -2 && !u is false
    //~ gicc: infeasible: !u is false and does not decide, s.a > 6 && s.b == -2 && !u is false
    //~ gicc: infeasible: {s.a > 6, s.b == -2, !u} is {true, false} and does not decide, s.a > 6 && s.b == -2 && !u is true
}

static int pick(int v) {
    return v;
}

// Decisions in an initialiser, an index, an argument of a condition and an argument of a call. The
// outer one calls a function, so it is measured in place; those inside are not.
int places(signed char a, signed char b) {
    static const int t[2] = {3, 4};
    int first = a && b;
    //~ branch condition: {a, b} is {true, false}
    //~ multiple pairs: a is {true, false}, b is {true, false}
    //~ gacc: {a, b} is {true, false} and decides a && b
    //~ gicc: {a, b} is {true, false} and does not decide, a && b is false
    //~ gicc: infeasible: {a, b} is {true, false} and does not decide, a && b is true
    if (t[a || b] == 4 && pick(a > b && first))
        //~ branch condition: {t[a || b] == 4, pick(a > b && first)} is {true, false}
        //~ decision: t[a || b] == 4 && pick(a > b && first) is {true, false}
        //~ multiple pairs: t[a || b] == 4 is true, pick(a > b && first) is {true, false} ¦ t[a || b] == 4 is false
        //~ gacc: {t[a || b] == 4, pick(a > b && first)} is {true, false} and decides t[a || b] == 4 && pick(a > b && first)
        //~ gicc: t[a || b] == 4 is {true, false} and does not decide, t[a || b] == 4 && pick(a > b && first) is false
        //~ gicc: infeasible: t[a || b] == 4 is {true, false} and does not decide, t[a || b] == 4 && pick(a > b && first) is true
        //~ gicc: infeasible: pick(a > b && first) is {true, false} and does not decide, t[a || b] == 4 && pick(a > b && first) is {true, false}
        //~ branch condition: {a, b} is {true, false}
        //~ multiple pairs: a is {true, false}, b is {true, false}
        //~ gacc: {a, b} is {true, false} and decides a || b
        //~ gicc: {a, b} is {true, false} and does not decide, a || b is true
        //~ gicc: infeasible: {a, b} is {true, false} and does not decide, a || b is false
        //~ branch condition: {a > b, first} is {true, false}
        //~ multiple pairs: a > b is {true, false}, first is {true, false}
        //~ gacc: {a > b, first} is {true, false} and decides a > b && first
        //~ gicc: {a > b, first} is {true, false} and does not decide, a > b && first is false
        //~ gicc: infeasible: {a > b, first} is {true, false} and does not decide, a > b && first is true
        return pick(a < 0 || b < 0);
        //~ branch condition: {a < 0, b < 0} is {true, false}
        //~ multiple pairs: a < 0 is true, b < 0 is true ¦ a < 0 is false, b < 0 is {true, false}
        //~ multiple pairs: infeasible: a < 0 is true, b < 0 is false
        //~ gacc: infeasible: a < 0 is true and decides a < 0 || b < 0 ¦ a < 0 is false and decides a < 0 || b < 0
        //~ gacc: b < 0 is {true, false} and decides a < 0 || b < 0
        //~ gicc: a < 0 is {true, false} and does not decide, a < 0 || b < 0 is true
        //~ gicc: b < 0 is true and does not decide, a < 0 || b < 0 is true
        //~ gicc: infeasible: b < 0 is false and does not decide, a < 0 || b < 0 is true
        //~ gicc: infeasible: {a < 0, b < 0} is {true, false} and does not decide, a < 0 || b < 0 is false
    return first;
}

// A definition of the old kind, and loops without a body.
int old(a, n)
    signed char a;
    unsigned char n;
{
    n %= 4;
    while (n-- > 2 && a)
        //~ branch condition: {n-- > 2, a} is {true, false}
        //~ decision: n-- > 2 && a is {true, false}
        //~ multiple pairs: n-- > 2 is true, a is {true, false} ¦ n-- > 2 is false
        //~ gacc: {n-- > 2, a} is {true, false} and decides n-- > 2 && a
        //~ gicc: n-- > 2 is {true, false} and does not decide, n-- > 2 && a is false
        //~ gicc: infeasible: n-- > 2 is {true, false} and does not decide, n-- > 2 && a is true
        //~ gicc: infeasible: a is {true, false} and does not decide, n-- > 2 && a is {true, false}
        ;
    for (; a > 100 ? n < 1 : n > 250; n++)
        //~ branch condition decision multiple pairs gacc: {a > 100 ? n < 1 : n > 250, a > 100} is {true, false}
        ;
    return a;
}

// With p null the value of *p > 3 is a fault, which makes every predicate that asks for it false.
int pointers(const int *p) {
    if (p && *p > 3)
        //~ branch condition: {p, *p > 3} is {true, false}
        //~ decision: p && *p > 3 is {true, false}
        //~ multiple pairs: p is true, *p > 3 is {true, false} ¦ infeasible: p is false, *p > 3 is {true, false}
        //~ gacc: p is true and decides p && *p > 3 ¦ infeasible: p is false and decides p && *p > 3
        //~ gacc: *p > 3 is {true, false} and decides p && *p > 3
        //~ gicc: p is true and does not decide, p && *p > 3 is false
        //~ gicc: infeasible: p is false and does not decide, p && *p > 3 is false
        //~ gicc: infeasible: p is {true, false} and does not decide, p && *p > 3 is true
        //~ gicc: infeasible: *p > 3 is {true, false} and does not decide, p && *p > 3 is {true, false}
        return 1;
    return 0;
}

int same_pointers(const int *p, const int *q) {
    return p == q && !q;
    //~ branch condition: {p == q, !q} is {true, false}
    //~ multiple pairs: p == q is {true, false}, !q is {true, false}
    //~ gacc: {p == q, !q} is {true, false} and decides p == q && !q
    //~ gicc: {p == q, !q} is {true, false} and does not decide, p == q && !q is false
    //~ gicc: infeasible: {p == q, !q} is {true, false} and does not decide, p == q && !q is true
}
