// Weak mutants, each operator on its own and all together.
// run ABS: --criterion weak-mutation --operators ABS
// run AOR: --criterion weak-mutation --operators AOR
// run ROR: --criterion weak-mutation --operators ROR
// run COR: --criterion weak-mutation --operators COR
// run LOR: --criterion weak-mutation --operators LOR
// run UOI: --criterion weak-mutation --operators UOI
// run CRO: --criterion weak-mutation --operators CRO
// run LHS: --criterion weak-mutation --operators LHS
// run two = AOR ROR: --criterion weak-mutation --operators ROR,AOR
// run all = ABS AOR ROR COR LOR UOI CRO LHS: --criterion weak-mutation

int order(signed char a, signed char b) {
    if (a < b)
        //~ ABS: ABS: a → {abs(a), -abs(a), fails on zero} ¦ ABS: b → {abs(b), -abs(b), fails on zero}
        //~ ROR: ROR: a < b → {a <= b, a > b, a >= b, a == b, a != b, true, false}
        //~ UOI: UOI: a → {-a, ~a} ¦ UOI: b → {-b, ~b} ¦ UOI: a < b → !(a < b)
        return a;
        //~ ABS: ABS: a → {abs(a), -abs(a), fails on zero}
        //~ UOI: UOI: a → {-a, ~a}
    return b;
    //~ ABS: ABS: b → {abs(b), -abs(b), fails on zero}
    //~ UOI: UOI: b → {-b, ~b}
}

// An unsigned variable has no absolute value. The left side of a compound assignment stays.
int arithmetic(signed char a, unsigned char b) {
    int r = a * 2 + b;
    //~ ABS: ABS: a → {abs(a), -abs(a), fails on zero} ¦ ABS: b → fails on zero
    //~ AOR: AOR: a * 2 → a {+, -, /, %} 2 ¦ AOR: a * 2 + b → a * 2 {-, *, /, %} b
    //~ UOI: UOI: a → {-a, ~a} ¦ UOI: b → {-b, ~b}
    //~ CRO: CRO: 2 → {3, 1, 0, -2}
    r -= b / 2;
    //~ ABS: ABS: b → fails on zero
    //~ AOR: AOR: r -= b / 2 → r {+=, *=, /=, %=} b / 2 ¦ AOR: b / 2 → b {+, -, *, %} 2
    //~ UOI: UOI: b → {-b, ~b}
    //~ CRO: CRO: 2 → {3, 1, -2}
    return -r;
    //~ ABS: ABS: r → {abs(r), -abs(r), fails on zero}
    //~ UOI: UOI: r → {-r, ~r}
}

// Where a is used only as a truth value, its sign does not matter. In the second decision the other
// side shows only where a is 0, and then `both` is 0 too.
int logic(signed char a, signed char b) {
    int both = a && b > 2;
    //~ ABS: infeasible: ABS: a → {abs(a), -abs(a)} ¦ ABS: a → fails on zero
    //~ ABS: ABS: b → {abs(b), -abs(b), fails on zero}
    //~ ROR: ROR: b > 2 → {b >= 2, b < 2, b <= 2, b == 2, b != 2, true, false}
    //~ COR: COR: a && b > 2 → {a || b > 2, a, b > 2, true, false}
    //~ UOI: infeasible: UOI: a → -a ¦ UOI: a → {~a, !a} ¦ UOI: b → {-b, ~b} ¦ UOI: b > 2 → !(b > 2)
    //~ CRO: CRO: 2 → {3, 1, 0, -2}
    if (a || !(both || b))
        //~ ABS: infeasible: ABS: a → {abs(a), -abs(a)} ¦ ABS: a → fails on zero
        //~ ABS: infeasible: ABS: both → {abs(both), -abs(both)} ¦ ABS: both → fails on zero
        //~ ABS: infeasible: ABS: b → {abs(b), -abs(b)} ¦ ABS: b → fails on zero
        //~ COR: COR: a || !(both || b) → {a && !(both || b), a, !(both || b), true, false}
        //~ COR: COR: both || b → {both && b, both, true, false} ¦ infeasible: COR: both || b → b
        //~ UOI: infeasible: UOI: a → -a ¦ infeasible: UOI: both → -both ¦ infeasible: UOI: b → -b
        //~ UOI: UOI: a → {~a, !a} ¦ UOI: both → {~both, !both} ¦ UOI: b → {~b, !b}
        return 1;
        //~ CRO: CRO: 1 → {2, 0, -1}
    return 0;
    //~ CRO: CRO: 0 → {1, -1}
}

// No constant becomes a divisor of 0 or a shift out of range.
unsigned bits(unsigned char a, unsigned b) {
    unsigned m = a & 0x0f;
    //~ ABS: ABS: a → fails on zero
    //~ LOR: LOR: a & 0x0f → a {|, ^} 0x0f
    //~ UOI: UOI: a → {-a, ~a}
    //~ CRO: CRO: 0x0f → {16, 14, 0, -15}
    m |= b << 2;
    //~ ABS: ABS: b → fails on zero
    //~ LOR: LOR: m |= b << 2 → m {&=, ^=} b << 2 ¦ LOR: b << 2 → b >> 2
    //~ UOI: UOI: b → {-b, ~b}
    //~ CRO: CRO: 2 → {3, 1, 0}
    return m ^ (b >> 1);
    //~ ABS: ABS: {m, b} → fails on zero
    //~ LOR: LOR: m ^ (b >> 1) → m {&, |} (b >> 1) ¦ LOR: b >> 1 → b << 1
    //~ UOI: UOI: m → {-m, ~m} ¦ UOI: b → {-b, ~b}
    //~ CRO: CRO: 1 → {2, 0}
}

static int total;

// Storing elsewhere shows unless both already hold the value.
int store(signed char x, int *p) {
    int a = x, b = x;
    //~ ABS: ABS: {x, x} → {abs(x), -abs(x), fails on zero}
    //~ UOI: UOI: {x, x} → {-x, ~x}
    a = x;
    //~ ABS: ABS: x → {abs(x), -abs(x), fails on zero}
    //~ UOI: UOI: x → {-x, ~x}
    //~ LHS: infeasible: LHS: a = x → b = x ¦ LHS: a = x → total = x
    b = a + 1;
    //~ ABS: ABS: a → {abs(a), -abs(a), fails on zero}
    //~ AOR: AOR: a + 1 → a {-, *, /, %} 1
    //~ UOI: UOI: a → {-a, ~a}
    //~ CRO: CRO: 1 → {2, 0, -1}
    //~ LHS: LHS: b = a + 1 → {a, total} = a + 1
    total = b;
    //~ ABS: ABS: b → {abs(b), -abs(b), fails on zero}
    //~ UOI: UOI: b → {-b, ~b}
    //~ LHS: LHS: total = b → {a, b} = b
    if (p)
        //~ UOI: UOI: p → !p
        *p = total;
        //~ ABS: ABS: total → {abs(total), -abs(total), fails on zero}
        //~ UOI: UOI: total → {-total, ~total}
    return a;
    //~ ABS: ABS: a → {abs(a), -abs(a), fails on zero}
    //~ UOI: UOI: a → {-a, ~a}
}

static int calls;

static int next(int v) {
    calls++;
    return v;
    //~ ABS: ABS: v → {abs(v), -abs(v), fails on zero}
    //~ UOI: UOI: v → {-v, ~v}
}

#define HALF(v) ((v) / 2)

// The sum has a side effect: only its pure operands are mutated. The constants of cases are not. The
// last `r` is used only where it is not 0.
int effects(signed char k, signed char x) {
    int r = next(k + 1) + HALF(x);
    //~ ABS: ABS: k → {abs(k), -abs(k), fails on zero} ¦ ABS: x → {abs(x), -abs(x), fails on zero}
    //~ AOR: AOR: k + 1 → k {-, *, /, %} 1 ¦ AOR: (x) / 2 → (x) {+, -, *, %} 2
    //~ UOI: UOI: k → {-k, ~k} ¦ UOI: x → {-x, ~x}
    //~ CRO: CRO: 1 → {2, 0, -1} ¦ CRO: 2 → {3, 1, -2}
    switch (x - 1) {
    //~ ABS: ABS: x → {abs(x), -abs(x), fails on zero}
    //~ AOR: AOR: x - 1 → x {+, *, /, %} 1
    //~ UOI: UOI: x → {-x, ~x}
    //~ CRO: CRO: 1 → {2, 0, -1}
    case 3:
        r += 5;
        //~ AOR: AOR: r += 5 → r {-=, *=, /=, %=} 5
        //~ CRO: CRO: 5 → {6, 4, 0, -5}
    case 8:
        while (r > 20)
            //~ ABS: ABS: r → {abs(r), -abs(r), fails on zero}
            //~ ROR: ROR: r > 20 → {r >= 20, r < 20, r <= 20, r == 20, r != 20, true, false}
            //~ UOI: UOI: r → {-r, ~r} ¦ UOI: r > 20 → !(r > 20)
            //~ CRO: CRO: 20 → {21, 19, 0, -20}
            r -= 7;
            //~ AOR: AOR: r -= 7 → r {+=, *=, /=, %=} 7
            //~ CRO: CRO: 7 → {8, 6, 0, -7}
        break;
    }
    return r ? r : x;
    //~ ABS: infeasible: ABS: r → {abs(r), -abs(r)} ¦ ABS: r → fails on zero
    //~ ABS: ABS: r → {abs(r), -abs(r)} ¦ infeasible: ABS: r → fails on zero
    //~ ABS: ABS: x → {abs(x), -abs(x), fails on zero}
    //~ UOI: infeasible: UOI: r → -r ¦ UOI: r → {~r, !r}
    //~ UOI: UOI: r → {-r, ~r} ¦ UOI: x → {-x, ~x}
}

// Floating point: no remainder, no complement.
float scale(float d, float f) {
    float r = d * 2.0f;
    //~ ABS: ABS: d → {abs(d), -abs(d), fails on zero}
    //~ AOR: AOR: d * 2.0f → d {+, -, /} 2.0f
    //~ UOI: UOI: d → -d
    //~ CRO: CRO: 2.0f → {2.0f + 1, 2.0f - 1, 0, -2.0f}
    return r < f ? r : -f;
    //~ ABS: ABS: {r, r} → {abs(r), -abs(r), fails on zero} ¦ ABS: {f, f} → {abs(f), -abs(f), fails on zero}
    //~ ROR: ROR: r < f → {r <= f, r > f, r >= f, r == f, r != f, true, false}
    //~ UOI: UOI: {r, r} → -r ¦ UOI: {f, f} → -f ¦ UOI: r < f → !(r < f)
}

// Elements are read like variables, a pointer is moved the other way. The lowest bit of -i is that of
// i; all elements are positive.
int element(unsigned char i) {
    static const int t[4] = {1, 2, 3, 4};
    const int *p = t + 1;
    //~ AOR: AOR: t + 1 → t - 1
    //~ CRO: CRO: 1 → {2, 0, -1}
    return *(p + (i & 1)) + t[i & 3];
    //~ ABS: ABS: {i, i} → fails on zero
    //~ ABS: infeasible: ABS: *(p + (i & 1)) → {abs(*(p + (i & 1))), fails on zero} ¦ ABS: *(p + (i & 1)) → -abs(*(p + (i & 1)))
    //~ ABS: infeasible: ABS: t[i & 3] → {abs(t[i & 3]), fails on zero} ¦ ABS: t[i & 3] → -abs(t[i & 3])
    //~ AOR: AOR: *(p + (i & 1)) + t[i & 3] → *(p + (i & 1)) {-, *, /, %} t[i & 3]
    //~ AOR: AOR: p + (i & 1) → p - (i & 1)
    //~ LOR: LOR: i & 1 → i {|, ^} 1 ¦ LOR: i & 3 → i {|, ^} 3
    //~ UOI: infeasible: UOI: i → -i ¦ UOI: i → ~i ¦ UOI: i → {-i, ~i}
    //~ UOI: UOI: *(p + (i & 1)) → {-, ~}*(p + (i & 1)) ¦ UOI: t[i & 3] → {-, ~}t[i & 3]
    //~ CRO: CRO: 1 → {2, 0, -1} ¦ CRO: 3 → {4, 2, 0, -3}
}
