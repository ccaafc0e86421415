// Negations, ?:, fall-through, side effects, macros and loops under the criteria of decisions.
// run branch: --criterion branch
// run decision: --criterion decision
// run condition: --criterion condition
// run both = decision condition: --criterion decision-condition
// run multiple: --criterion multiple-condition
// run pairs: --criterion multiple-condition --n 2
// run gacc: --criterion gacc
// run gicc: --criterion gicc

// `!b` is one condition, `!(…)` around `&&` none. After the first `if`, b is 0.
int negations(signed char a, signed char b) {
    if (!(a && !b))
        //~ branch condition: {a, !b} is {true, false}
        //~ decision: !(a && !b) is {true, false}
        //~ multiple pairs: a is {true, false}, !b is {true, false}
        //~ gacc: {a, !b} is {true, false} and decides !(a && !b)
        //~ gicc: {a, !b} is {true, false} and does not decide, !(a && !b) is true
        //~ gicc: infeasible: {a, !b} is {true, false} and does not decide, !(a && !b) is false
        return 1;
    if (!!(a > 3 || !(b < a && b)))
        //~ branch: a > 3 is {true, false} ¦ b < a is {true, false} ¦ infeasible: b is true ¦ b is false
        //~ condition: a > 3 is {true, false} ¦ b < a is {true, false} ¦ infeasible: b is true ¦ b is false
        //~ decision: !!(a > 3 || !(b < a && b)) is true
        //~ decision: infeasible: !!(a > 3 || !(b < a && b)) is false
        //~ multiple: a > 3 is true, b < a is true, b is false
        //~ multiple: a > 3 is false, b < a is {true, false}, b is false
        //~ multiple: infeasible: a > 3 is true, b < a is false, b is false
        //~ multiple: infeasible: a > 3 is {true, false}, b < a is {true, false}, b is true
        //~ pairs: a > 3 is true, b < a is true ¦ infeasible: a > 3 is true, b < a is false
        //~ pairs: a > 3 is false, b < a is {true, false}
        //~ pairs: {a > 3, b < a} is {true, false}, b is false
        //~ pairs: infeasible: {a > 3, b < a} is {true, false}, b is true
        //~ gacc: infeasible: {a > 3, b < a} is {true, false} and decides !!(a > 3 || !(b < a && b))
        //~ gacc: infeasible: b is true and decides !!(a > 3 || !(b < a && b))
        //~ gacc: b is false and decides !!(a > 3 || !(b < a && b))
        //~ gicc: {a > 3, b < a} is {true, false} and does not decide, !!(a > 3 || !(b < a && b)) is true
        //~ gicc: b is false and does not decide, !!(a > 3 || !(b < a && b)) is true
        //~ gicc: infeasible: b is true and does not decide, !!(a > 3 || !(b < a && b)) is true
        //~ gicc: infeasible: {a > 3, b < a, b} is {true, false} and does not decide, !!(a > 3 || !(b < a && b)) is false
        return 2;
    return 3;
}

// The last operand of the inner `?:` is a decision of its own, evaluated where b is 0. Then m is 0
// only where a is positive.
int conditional(signed char a, unsigned char b) {
    int m = a > 0 ? b : a < -5 ? 1 : 2;
    //~ branch condition decision multiple pairs gacc: {a > 0, a < -5} is {true, false}
    return (b ? m > 1 : m && a) ? 3 : 4;
    //~ branch condition decision multiple pairs gacc: {b ? m > 1 : m && a, b} is {true, false}
    //~ branch condition: {m, a} is {true, false}
    //~ multiple pairs: m is true, a is {true, false} ¦ m is false, a is true ¦ infeasible: m is false, a is false
    //~ gacc: {m, a} is {true, false} and decides m && a
    //~ gicc: {m, a} is true and does not decide, m && a is false
    //~ gicc: infeasible: {m, a} is false and does not decide, m && a is false
    //~ gicc: infeasible: {m, a} is {true, false} and does not decide, m && a is true
}

// Falling into a case is not jumping to it; what stands there is evaluated all the same.
int fall(signed char k, signed char x) {
    int r = 0;
    switch (k & 3) {
    //~ branch decision: no case matches in switch (k & 3)
    case 0:
    //~ branch decision: case 0 of switch (k & 3)
        if (x > 0 || k)
            //~ branch condition: {x > 0, k} is {true, false}
            //~ decision: x > 0 || k is {true, false}
            //~ multiple pairs: x > 0 is {true, false}, k is {true, false}
            //~ gacc: {x > 0, k} is {true, false} and decides x > 0 || k
            //~ gicc: {x > 0, k} is {true, false} and does not decide, x > 0 || k is true
            //~ gicc: infeasible: {x > 0, k} is {true, false} and does not decide, x > 0 || k is false
            r = 1;
    case 1:
    //~ branch decision: case 1 of switch (k & 3)
        r += x > 5 && r;
        //~ branch condition: {x > 5, r} is {true, false}
        //~ multiple pairs: x > 5 is {true, false}, r is {true, false}
        //~ gacc: {x > 5, r} is {true, false} and decides x > 5 && r
        //~ gicc: {x > 5, r} is {true, false} and does not decide, x > 5 && r is false
        //~ gicc: infeasible: {x > 5, r} is {true, false} and does not decide, x > 5 && r is true
    case 7:
    //~ branch decision: infeasible: case 7 of switch (k & 3)
        r *= 2;
        break;
    case 2:
    //~ branch decision: case 2 of switch (k & 3)
        return !(x || r);
        //~ branch condition: x is {true, false} ¦ infeasible: r is true ¦ r is false
        //~ multiple pairs: x is {true, false}, r is false ¦ infeasible: x is {true, false}, r is true
        //~ gacc: x is {true, false} and decides x || r
        //~ gacc: infeasible: r is true and decides x || r ¦ r is false and decides x || r
        //~ gicc: r is false and does not decide, x || r is true
        //~ gicc: infeasible: r is false and does not decide, x || r is false
        //~ gicc: infeasible: r is true and does not decide, x || r is {true, false}
        //~ gicc: infeasible: x is {true, false} and does not decide, x || r is {true, false}
    }
    return r;
}

static int calls;

static int next(int x) {
    calls++;
    return x - 1;
}

// In place: nothing is evaluated twice, and what is skipped has no value. After the first `if`, a is
// 0 or b is 1; so where b is 0, a is.
int in_place(signed char a, signed char b) {
    if (a && next(b))
        //~ branch condition: {a, next(b)} is {true, false}
        //~ decision: a && next(b) is {true, false}
        //~ multiple pairs: a is true, next(b) is {true, false} ¦ a is false
        //~ gacc: {a, next(b)} is {true, false} and decides a && next(b)
        //~ gicc: a is {true, false} and does not decide, a && next(b) is false
        //~ gicc: infeasible: a is {true, false} and does not decide, a && next(b) is true
        //~ gicc: infeasible: next(b) is {true, false} and does not decide, a && next(b) is {true, false}
        return 1;
    if (b++ || a > 2)
        //~ branch condition: b++ is {true, false} ¦ infeasible: a > 2 is true ¦ a > 2 is false
        //~ decision: b++ || a > 2 is {true, false}
        //~ multiple pairs: b++ is true ¦ infeasible: b++ is false, a > 2 is true ¦ b++ is false, a > 2 is false
        //~ gacc: b++ is {true, false} and decides b++ || a > 2
        //~ gacc: infeasible: a > 2 is true and decides b++ || a > 2 ¦ a > 2 is false and decides b++ || a > 2
        //~ gicc: b++ is true and does not decide, b++ || a > 2 is true
        //~ gicc: infeasible: b++ is true and does not decide, b++ || a > 2 is false
        //~ gicc: infeasible: b++ is false and does not decide, b++ || a > 2 is {true, false}
        //~ gicc: infeasible: a > 2 is {true, false} and does not decide, b++ || a > 2 is {true, false}
        return 2;
    return 0;
}

#define INSIDE(v) ((v) > 3 && (v) < 9)
#define EITHER(p, q) ((p) || (q))
#define GUARD(c) if (c) return 7

// Conditions that macros hide; in the second, x is not 5 any more.
int macros(signed char x, signed char y) {
    if (INSIDE(x))
        //~ branch condition: {(x) > 3, (x) < 9} is {true, false}
        //~ decision: INSIDE(x) is {true, false}
        //~ multiple pairs: (x) > 3 is true, (x) < 9 is {true, false} ¦ (x) > 3 is false, (x) < 9 is true
        //~ multiple pairs: infeasible: (x) > 3 is false, (x) < 9 is false
        //~ gacc: {(x) > 3, (x) < 9} is {true, false} and decides INSIDE(x)
        //~ gicc: {(x) > 3, (x) < 9} is true and does not decide, INSIDE(x) is false
        //~ gicc: infeasible: {(x) > 3, (x) < 9} is false and does not decide, INSIDE(x) is false
        //~ gicc: infeasible: {(x) > 3, (x) < 9} is {true, false} and does not decide, INSIDE(x) is true
        return 1;
    GUARD(EITHER(x == 5, y < x));
    //~ branch condition: infeasible: x == 5 is true ¦ x == 5 is false ¦ y < x is {true, false}
    //~ decision: (x == 5) || (y < x) is {true, false}
    //~ multiple pairs: x == 5 is false, y < x is {true, false} ¦ infeasible: x == 5 is true, y < x is {true, false}
    //~ gacc: infeasible: x == 5 is true and decides (x == 5) || (y < x)
    //~ gacc: x == 5 is false and decides (x == 5) || (y < x)
    //~ gacc: y < x is {true, false} and decides (x == 5) || (y < x)
    //~ gicc: x == 5 is false and does not decide, (x == 5) || (y < x) is true
    //~ gicc: infeasible: x == 5 is false and does not decide, (x == 5) || (y < x) is false
    //~ gicc: infeasible: x == 5 is true and does not decide, (x == 5) || (y < x) is {true, false}
    //~ gicc: infeasible: y < x is {true, false} and does not decide, (x == 5) || (y < x) is {true, false}
    return INSIDE(y);
    //~ branch condition: {(y) > 3, (y) < 9} is {true, false}
    //~ multiple pairs: (y) > 3 is true, (y) < 9 is {true, false} ¦ (y) > 3 is false, (y) < 9 is true
    //~ multiple pairs: infeasible: (y) > 3 is false, (y) < 9 is false
    //~ gacc: {(y) > 3, (y) < 9} is {true, false} and decides (y) > 3 && (y) < 9
    //~ gicc: {(y) > 3, (y) < 9} is true and does not decide, (y) > 3 && (y) < 9 is false
    //~ gicc: infeasible: {(y) > 3, (y) < 9} is false and does not decide, (y) > 3 && (y) < 9 is false
    //~ gicc: infeasible: {(y) > 3, (y) < 9} is {true, false} and does not decide, (y) > 3 && (y) < 9 is true
}

// Labels stand before every evaluation, not only the first. After `for`, s is 0, 1 or 3, and 3 if n
// is 200.
int loops(unsigned char n) {
    int i, s = 0;
    for (i = 0; i < n && i < 3; i++)
        //~ branch condition: {i < n, i < 3} is {true, false}
        //~ decision: i < n && i < 3 is {true, false}
        //~ multiple pairs: i < n is {true, false}, i < 3 is {true, false}
        //~ gacc: {i < n, i < 3} is {true, false} and decides i < n && i < 3
        //~ gicc: {i < n, i < 3} is {true, false} and does not decide, i < n && i < 3 is false
        //~ gicc: infeasible: {i < n, i < 3} is {true, false} and does not decide, i < n && i < 3 is true
        s += i;
    while (s > 0 && n != 200)
        //~ branch condition: {s > 0, n != 200} is {true, false}
        //~ decision: s > 0 && n != 200 is {true, false}
        //~ multiple pairs: s > 0 is true, n != 200 is {true, false} ¦ s > 0 is false, n != 200 is true
        //~ multiple pairs: infeasible: s > 0 is false, n != 200 is false
        //~ gacc: {s > 0, n != 200} is {true, false} and decides s > 0 && n != 200
        //~ gicc: {s > 0, n != 200} is true and does not decide, s > 0 && n != 200 is false
        //~ gicc: infeasible: {s > 0, n != 200} is false and does not decide, s > 0 && n != 200 is false
        //~ gicc: infeasible: {s > 0, n != 200} is {true, false} and does not decide, s > 0 && n != 200 is true
        s -= 2;
    do
        s++;
    while (s < n && s < 2);
    //~ branch condition: {s < n, s < 2} is {true, false}
    //~ decision: s < n && s < 2 is {true, false}
    //~ multiple pairs: s < n is {true, false}, s < 2 is {true, false}
    //~ gacc: {s < n, s < 2} is {true, false} and decides s < n && s < 2
    //~ gicc: {s < n, s < 2} is {true, false} and does not decide, s < n && s < 2 is false
    //~ gicc: infeasible: {s < n, s < 2} is {true, false} and does not decide, s < n && s < 2 is true
    return s;
}
