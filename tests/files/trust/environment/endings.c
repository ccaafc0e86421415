// Handlers of atexit run in the reverse order, destructors behind them.
// arguments: --main
#include <stdlib.h>

static int order;

static void first(void) {
    if (order == 1) //@ true covered, false infeasible
        order = 2;
}

static void second(void) {
    if (order == 0) //@ true covered, false infeasible
        order = 1;
}

__attribute__((destructor)) static void last(void) {
    order = order == 2 ? 3 : 4; //@ true covered, false infeasible
}

int main(void) {
    atexit(first);
    atexit(second);
    return 0;
}
