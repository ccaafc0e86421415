// Whether there is a shell, and what a command does, is not known.
// arguments: --function commands
#include <stdio.h>
#include <stdlib.h>

int commands(int n) {
    if (n == 1)
        if (system(NULL)) //@ true open
            return 1;
    if (n == 2)
        if (system("true") == 0) //@ true open
            return 2;
    if (n == 3) {
        FILE *pipe = popen("ls", "r");
        if (pipe) //@ true open
            return 3;
    }
    if (n == 4) {
        system("ls");
        if (n == 5) //@ true infeasible, false covered
            return 4;
    }
    return 0;
}
