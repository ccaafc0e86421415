// The absolute value of a float has the float's own type: that of another type would round, or
// make the expression around it compute in another precision, and look like a change.
// run ABS: --criterion weak-mutation --operators ABS

// Too long for a double.
int extended(signed char n) {
    long double x = 9007199254740993.0L;
    if (n > 0)
        //~ ABS: ABS: n → {abs(n), -abs(n), fails on zero}
        return 1;
    return x > 9007199254740992.0L;
    //~ ABS: infeasible: ABS: x → abs(x) ¦ ABS: x → -abs(x) ¦ infeasible: ABS: x → fails on zero
}

// The sum is rounded to 24 bits.
int single(signed char n) {
    float big = 16777216.0f, one = 1.0f;
    if (n == 3)
        //~ ABS: ABS: n → {abs(n), -abs(n), fails on zero}
        return 1;
    return big + one == 16777216.0f;
    //~ ABS: infeasible: ABS: big → abs(big) ¦ ABS: big → -abs(big) ¦ infeasible: ABS: big → fails on zero
    //~ ABS: infeasible: ABS: one → abs(one) ¦ ABS: one → -abs(one) ¦ infeasible: ABS: one → fails on zero
}
