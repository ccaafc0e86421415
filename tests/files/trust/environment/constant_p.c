// Whether a compiler knows a value depends on the compiler and its options. The operand is not
// evaluated, and nothing is put into it.
// arguments: --function known
static int counter;
static int next(void) { return ++counter; }

int known(int n) {
    if (!__builtin_constant_p(7))
        if (n > 5) //@ true infeasible, false infeasible
            return 1;
    if (counter != __builtin_constant_p(7) - 1) //@ true infeasible, false covered
        return 2;
    if (__builtin_constant_p(n && next() ? 1 : 2))
        if (n > 3) //@ true unknown compiler, false unknown compiler
            return 3;
    return 4;
}
