// raise and kill call handlers at once.
// arguments: --function send
#include <signal.h>
#include <unistd.h>

static int count;

static void on_signal(int number) { count += number == SIGTERM ? 1 : 10; }

int send(int n) {
    signal(SIGTERM, on_signal);
    signal(SIGFPE, on_signal);
    if (n == 1)
        raise(SIGTERM);
    if (n == 2)
        raise(SIGFPE);
    if (n == 3)
        kill(getpid(), SIGTERM);
    if (count == 1) //@ true covered, false covered
        return 1;
    if (count == 10) //@ true covered, false covered
        return 2;
    if (count == 11) //@ true open, false covered
        return 3;
    return 0;
}
