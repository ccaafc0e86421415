// abort calls the handler of SIGABRT, which may leave by a jump. Before there is a handler, abort ends
// the run. A second call finds what the handler has left.
// arguments: --function stop
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf back;
static int seen;

static void on_abort(int number) {
    seen = number;
    longjmp(back, 1);
}

int stop(int n) {
    if (seen) //@ true covered, false covered
        return 0;
    if (setjmp(back) == 0) { //@ true covered, false covered
        signal(SIGABRT, on_abort);
        if (n > 10)
            abort();
        return 1;
    }
    if (seen == SIGABRT) //@ true covered, false unknown signals
        return 2;
    return 3;
}
