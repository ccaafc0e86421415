// The run goes on in the handler of SIGFPE: it does not end at the division.
// arguments: --function divide
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf back;

static void on_divide(int number) {
    if (number == SIGFPE) //@ true open
        longjmp(back, 2);
}

int divide(int a, int b) {
    signal(SIGFPE, on_divide);
    if (setjmp(back)) //@ true open, false covered
        return -1;
    return a / b;
}
