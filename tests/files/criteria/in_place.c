// Decisions whose conditions have side effects: measured in place, each evaluated once.
// run branch: --criterion branch
// run decision: --criterion decision
// run condition: --criterion condition
// run both = decision condition: --criterion decision-condition
// run multiple: --criterion multiple-condition
// run pairs: --criterion multiple-condition --n 2
// run gacc: --criterion gacc
// run gicc: --criterion gicc

static int notes;

static int note(int v) {
    notes++;
    return v;
}

int three(signed char a, signed char b, signed char c) {
    if (!(a && note(b)) || c > 2)
        //~ branch condition: {a, note(b), c > 2} is {true, false}
        //~ decision: !(a && note(b)) || c > 2 is {true, false}
        //~ multiple: a is true, note(b) is true, c > 2 is {true, false} ¦ a is true, note(b) is false ¦ a is false
        //~ pairs: a is true, note(b) is {true, false} ¦ infeasible: a is false, note(b) is {true, false}
        //~ pairs: a is true, c > 2 is {true, false} ¦ infeasible: a is false, c > 2 is {true, false}
        //~ pairs: note(b) is true, c > 2 is {true, false} ¦ infeasible: note(b) is false, c > 2 is {true, false}
        //~ gacc: {a, note(b), c > 2} is {true, false} and decides !(a && note(b)) || c > 2
        //~ gicc: {a, note(b)} is {true, false} and does not decide, !(a && note(b)) || c > 2 is true
        //~ gicc: infeasible: {a, note(b)} is {true, false} and does not decide, !(a && note(b)) || c > 2 is false
        //~ gicc: infeasible: c > 2 is {true, false} and does not decide, !(a && note(b)) || c > 2 is {true, false}
        return notes;
    return -notes;
}

// Reading a volatile object is a side effect.
int device(signed char x) {
    static volatile signed char v;
    v = x;
    if (v > 3 && v < 2)
        //~ branch condition: v > 3 is {true, false} ¦ infeasible: v < 2 is true ¦ v < 2 is false
        //~ decision: infeasible: v > 3 && v < 2 is true ¦ v > 3 && v < 2 is false
        //~ multiple pairs: infeasible: v > 3 is true, v < 2 is true ¦ v > 3 is true, v < 2 is false ¦ v > 3 is false
        //~ gacc: infeasible: {v > 3, v < 2} is true and decides v > 3 && v < 2
        //~ gacc: {v > 3, v < 2} is false and decides v > 3 && v < 2
        //~ gicc: v > 3 is {true, false} and does not decide, v > 3 && v < 2 is false
        //~ gicc: infeasible: v > 3 is {true, false} and does not decide, v > 3 && v < 2 is true
        //~ gicc: infeasible: v < 2 is {true, false} and does not decide, v > 3 && v < 2 is {true, false}
        return 1;
    return 0;
}

// Every call has its own evaluation of the decision: the result of the inner one is a > 5 or true.
int deep(unsigned char n, signed char a) {
    n &= 3;
    return n && deep(n - 1, a) || a > 5;
    //~ branch condition: {n, a > 5} is {true, false} ¦ deep(n - 1, a) is {true, false}
    //~ multiple: n is true, deep(n - 1, a) is true ¦ n is true, deep(n - 1, a) is false, a > 5 is false
    //~ multiple: infeasible: n is true, deep(n - 1, a) is false, a > 5 is true ¦ n is false, a > 5 is {true, false}
    //~ pairs: n is true, deep(n - 1, a) is {true, false} ¦ infeasible: n is false, deep(n - 1, a) is {true, false}
    //~ pairs: infeasible: n is true, a > 5 is true ¦ n is true, a > 5 is false ¦ n is false, a > 5 is {true, false}
    //~ pairs: infeasible: deep(n - 1, a) is true, a > 5 is {true, false} ¦ infeasible: deep(n - 1, a) is false, a > 5 is true
    //~ pairs: deep(n - 1, a) is false, a > 5 is false
    //~ gacc: {n, a > 5} is {true, false} and decides n && deep(n - 1, a) || a > 5
    //~ gacc: deep(n - 1, a) is {true, false} and decides n && deep(n - 1, a) || a > 5
    //~ gicc: n is {true, false} and does not decide, n && deep(n - 1, a) || a > 5 is {true, false}
    //~ gicc: deep(n - 1, a) is true and does not decide, n && deep(n - 1, a) || a > 5 is true
    //~ gicc: infeasible: deep(n - 1, a) is true and does not decide, n && deep(n - 1, a) || a > 5 is false
    //~ gicc: infeasible: deep(n - 1, a) is false and does not decide, n && deep(n - 1, a) || a > 5 is {true, false}
    //~ gicc: infeasible: a > 5 is {true, false} and does not decide, n && deep(n - 1, a) || a > 5 is {true, false}
}

// Constants on both sides.
int drain(unsigned char n) {
    int left = n & 3;
    while (sizeof(int) == 4 && left-- > 0 || 0)
        //~ branch condition multiple pairs: left-- > 0 is {true, false}
        //~ decision: sizeof(int) == 4 && left-- > 0 || 0 is {true, false}
        //~ gacc: left-- > 0 is {true, false} and decides sizeof(int) == 4 && left-- > 0 || 0
        //~ gicc: infeasible: left-- > 0 is {true, false} and does not decide, sizeof(int) == 4 && left-- > 0 || 0 is {true, false}
        ;
    return left;
}

#define ONCE(e) (note(e) ? 1 : 2)

// GNU's `a ?: b` evaluates a once; so does a macro that uses its argument once.
int elvis(signed char x, signed char y) {
    int r = note(x & 7) ?: 7;
    //~ branch condition decision multiple pairs gacc: note(x & 7) is {true, false}
    switch (r > 3 ? ONCE(y) : 4) {
    //~ branch condition decision multiple pairs gacc: {r > 3, note(y)} is {true, false}
    //~ branch decision: infeasible: no case matches in switch (r > 3 ? ONCE(y) : 4)
    case 1:
    //~ branch decision: case 1 of switch (r > 3 ? ONCE(y) : 4)
        r++;
    case 2:
    //~ branch decision: case 2 of switch (r > 3 ? ONCE(y) : 4)
        do {
        } while (!(note(r--) < 3));
        //~ branch condition decision multiple pairs gacc: !(note(r--) < 3) is {true, false}
        break;
    case 4:
    //~ branch decision: case 4 of switch (r > 3 ? ONCE(y) : 4)
        break;
    }
    return r;
}
