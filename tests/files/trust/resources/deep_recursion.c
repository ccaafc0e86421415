// A recursion of 100,000 calls fits into the stack of a native run.
// arguments: --function sum
static long down(long n) { return n == 0 ? 0 : 1 + down(n - 1); }
int sum(int c) {
    if (down(100000) == 100000) { //@ true covered, false infeasible
        if (c > 3) //@ true covered, false covered
            return 1;
    }
    return 0;
}
