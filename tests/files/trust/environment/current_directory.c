// A program is started anywhere: the root directory of the models is one place of many. A buffer
// without room is an error everywhere.
// arguments: --function place
#include <errno.h>
#include <string.h>
#include <unistd.h>

int place(int n) {
    char path[64], small[1];
    if (getcwd(small, 0) != NULL) //@ true infeasible, false covered
        return 1;
    if (getcwd(path, sizeof path) == NULL) //@ true unknown library getcwd succeeds, false covered
        return 2;
    if (strcmp(path, "/") == 0) //@ true covered, false unknown current directory
        return 3;
    return n;
}
