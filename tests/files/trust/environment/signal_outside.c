// Anybody may send a signal at any time.
// arguments: --function serve
#include <signal.h>

static volatile sig_atomic_t stopped;

static void on_stop(int number) {
    if (number == SIGTERM) //@ true open, false open
        stopped = 1;
}

int serve(int n) {
    if (n > 4)
        if (n < 3) //@ true infeasible, false covered
            return 0;
    signal(SIGTERM, on_stop);
    if (stopped) //@ true open, false covered
        return 1;
    return 2;
}
