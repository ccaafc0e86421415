// Which variables and constants weak mutants take.
// run LHS: --criterion weak-mutation --operators LHS
// run CRO: --criterion weak-mutation --operators CRO
// run index: --criterion weak-mutation --operators LOR,AOR

typedef int number;

static int shared;
static const int fixed = 3;
static unsigned other;
static int unused;

// Not another type, nothing constant or volatile, nothing that is hidden or not declared yet, no
// variable of the file that the function does not mention. A constant variable is a constant.
int scopes(signed char x) {
    int a = 0, b = 1;
    //~ CRO: CRO: 0 → {1, -1} ¦ CRO: 1 → {2, 0, -1}
    const int c = 2;
    //~ CRO: CRO: 2 → {3, 1, 0, -2}
    register int r = 4;
    //~ CRO: CRO: 4 → {5, 3, 0, -4}
    volatile int v = 5;
    //~ CRO: CRO: 5 → {6, 4, 0, -5}
    number n = 8;
    //~ CRO: CRO: 8 → {9, 7, 0, -8}
    {
        int b = 6;
        //~ CRO: CRO: 6 → {7, 5, 0, -6}
        a = x;
        //~ LHS: LHS: a = x → {b, r, n, shared} = x
        b = a;
        //~ LHS: LHS: b = a → {a, r, n, shared} = a
    }
    int d = 7;
    //~ CRO: CRO: 7 → {8, 6, 0, -7}
    d = a;
    //~ LHS: LHS: d = a → {a, b, r, n, shared} = a
    {
        const int b = 9;
        //~ CRO: CRO: 9 → {10, 8, 0, -9}
        n = d;
        //~ LHS: LHS: n = d → {a, d, r, shared} = d
    }
    r = b + c + d;
    //~ CRO: CRO: c → {3, 1, 0, -2}
    //~ LHS: LHS: r = b + c + d → {a, b, d, n, shared} = b + c + d
    //~ index: AOR: b + c → b {-, *, /, %} c ¦ AOR: b + c + d → {b + c - d, (b + c) * d, (b + c) / d, (b + c) % d}
    other = fixed;
    //~ CRO: CRO: fixed → {4, 2, 0, -3}
    shared = v;
    return r;
}

// The same value in both: nothing shows.
int same(int x) {
    int a = x, b = x;
    b = x;
    //~ LHS: infeasible: LHS: b = x → {x, a} = x
    return a - b;
    //~ index: AOR: a - b → a {+, *, /} b ¦ infeasible: AOR: a - b → a % b
}

// The largest constant expression is one constant. The null pointer is none, nor what must be
// constant.
int constants(signed char x, const char *p) {
    static char text[3] = "ab";
    if (x > -5 && p != 0)
        //~ CRO: CRO: -5 → {-4, -6, 0, 5}
        return 'a';
        //~ CRO: CRO: 'a' → {98, 96, 0, -97}
    switch (x) {
    case 1:
        return sizeof(text) > 2 + 1;
        //~ CRO: CRO: sizeof(text) > 2 + 1 → {1, -1}
    }
    return text[1];
    //~ CRO: CRO: 1 → {2, 0}
    //~ CRO: infeasible: CRO: 1 → -1
}

// A mutated index is another object; out of bounds it is an error, which makes the label false.
int elements(signed char x, unsigned char i) {
    signed char t[4] = {9, 9, 9, 9};
    //~ CRO: {CRO, CRO, CRO, CRO}: 9 → {10, 8, 0, -9}
    t[i & 3] = x;
    //~ CRO: CRO: 3 → {4, 2, 0, -3}
    //~ index: LOR: i & 3 → i {|, ^} 3
    t[1] = 5;
    //~ CRO: CRO: 1 → {2, 0} ¦ infeasible: CRO: 1 → -1 ¦ CRO: 5 → {6, 4, 0, -5}
    return t[0] * t[3];
    //~ CRO: CRO: 0 → 1 ¦ infeasible: CRO: 0 → -1 ¦ CRO: 3 → {2, 0} ¦ infeasible: CRO: 3 → {4, -3}
    //~ index: AOR: t[0] * t[3] → t[0] {+, -, /, %} t[3]
}

// What compilers want to be constant stays as it is.
int builtins(signed char x, double d) {
    __builtin_prefetch(&x, 0, 3);
    if (__builtin_expect_with_probability(x > 2, 1, 0.9))
        //~ CRO: CRO: 2 → {3, 1, 0, -2}
        x = 1;
        //~ CRO: CRO: 1 → {2, 0, -1}
    return __builtin_fpclassify(4, 3, 2, 1, 0, d) * __builtin_signbit(d);
}

// In loops and macros; i is even.
#define STEP(v) ((v) + 2)

int loops(unsigned char n) {
    int i = 1, s = 0;
    //~ CRO: CRO: 1 → {2, 0, -1} ¦ CRO: 0 → {1, -1}
    for (i = 0; i < n; i = STEP(i)) {
        //~ CRO: CRO: 0 → {1, -1} ¦ CRO: 2 → {3, 1, 0, -2}
        //~ LHS: LHS: i = 0 → s = 0 ¦ LHS: i = STEP(i) → s = STEP(i)
        //~ index: AOR: (i) + 2 → (i) {-, *, /, %} 2
        s = i;
        //~ LHS: LHS: s = i → i = i
        if (i > 3)
            //~ CRO: CRO: 3 → {4, 0, -3} ¦ infeasible: CRO: 3 → 2
            break;
    }
    return s;
}
