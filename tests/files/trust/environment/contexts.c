// swapcontext goes on in another function.
// arguments: --function swap
#include <ucontext.h>

static ucontext_t here, there;
static char stack[65536];
static int seen;

static void other(void) { seen = 1; }

int swap(int n) {
    if (n == 1) {
        getcontext(&there);
        there.uc_stack.ss_sp = stack;
        there.uc_stack.ss_size = sizeof stack;
        there.uc_link = &here;
        makecontext(&there, other, 0);
        swapcontext(&here, &there);
        if (seen) //@ true open, false open
            return 1;
    }
    return 0;
}
