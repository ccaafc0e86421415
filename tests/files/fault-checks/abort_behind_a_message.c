// A program that gives up with a message: the branch is not what is measured here.
// arguments: --criterion function
// expect: fault abort 12
#include "labrys.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int x = labrys_int("x");
    if (x == 1234) {
        fputs("no\n", stderr);
        abort();
    }
    return 0;
}
