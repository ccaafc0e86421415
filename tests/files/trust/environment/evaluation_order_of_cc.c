// GCC calls two() first, clang one(): the search follows clang, and its proofs say nothing of what GCC
// has compiled.
// arguments: --function of_cc --trust environment
static int first;
static int one(void) { if (!first) first = 1; return 1; }
static int two(void) { if (!first) first = 2; return 2; }
static int add(int x, int y) { return x + y; }

int of_cc(int x) {
    first = 0;
    add(one(), two());
    if (first == 2) { //@ true covered
        if (x == 11) //@ true unknown compiled by cc
            return 1;
    }
    return 0;
}
