// Near misses of a recursion without an end: one that only longjmp leaves, and one that ends when its number has
// wrapped around. What stands behind them can be reached.
// arguments: --function out --time 10s
#include <setjmp.h>
static jmp_buf back;
static int jumps(int n) {
    if (n > 300)
        longjmp(back, n);
    return jumps(n + 1) + 1;
}
static unsigned char wraps(unsigned char n) { return n == 4 ? 5 : wraps((unsigned char)(n + 1)); }
int out(int c) {
    if (setjmp(back) == 0) { //@ true covered, false covered
        if (c == 5) //@ true covered, false covered
            c = jumps(c);
        if (c == 6) //@ true covered, false covered
            c = wraps((unsigned char)c);
        else if (c == 5) //@ true infeasible, false covered
            return 3;
        if (c == 5) //@ true covered, false covered
            return 2;
    } else if (c == 5) //@ true covered, false infeasible
        return 1;
    return 0;
}
