// A whole program is linked: nothing else defines what is weak.
// arguments: --main --sym-stdin 1
#include <stddef.h>
#include <stdio.h>

__attribute__((weak)) int hook(int x) { return x > 3; }
extern int missing(void) __attribute__((weak));

int main(void) {
    int x = getchar();
    if (hook(x) == 5) //@ true infeasible, false covered
        return 1;
    if (missing) //@ true infeasible, false covered
        return 2;
    return 0;
}
