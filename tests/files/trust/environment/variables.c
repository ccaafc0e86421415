// The environment of a program is an input; what it has set itself is known.
// arguments: --function variables
#include <stdlib.h>
#include <string.h>

extern char **environ;

int variables(int n) {
    setenv("LABRYS_MODE", "fast", 1);
    if (n == 1)
        if (strcmp(getenv("LABRYS_MODE"), "fast")) //@ true infeasible, false covered
            return 1;
    if (n == 2)
        if (getenv("HOME")) //@ true open, false covered
            return 2;
    return 3;
}
