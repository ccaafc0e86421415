// The run goes on in the handler of SIGSEGV. Without a handler it ends.
// arguments: --function look
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf back;

static void on_fault(int number) { siglongjmp(back, number); }

int look(int *p, int n) {
    struct sigaction action = {.sa_handler = on_fault};
    if (n == 0) {
        int value = p ? 1 : *p;
        if (value == 2) //@ true infeasible, false covered
            return 1;
        return 0;
    }
    sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(back, 1)) //@ true open, false covered
        return 2;
    return *p;
}
