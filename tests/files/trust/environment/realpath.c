// What a path stands for depends on where the program is started.
// arguments: --function resolve
#include <stdlib.h>
#include <string.h>

int resolve(int n) {
    char *path = realpath(".", NULL);
    if (path == NULL) //@ true open, false covered
        return 1;
    if (path[1] != 0) //@ true open, false covered
        return 2;
    if (n > 3)
        if (n < 2) //@ true infeasible, false covered
            return 3;
    return 0;
}
