// The C library has state as well: what earlier calls left in it.
// arguments: --function look
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int look(int x) {
    if ((x & 1) > 1) //@ true infeasible, false covered
        return 0;
    if (x == 7 && rand() == 12345) //@ true open, false covered
        return 3;
    if (errno == 5) //@ true open, false covered
        return 1;
    errno = 0;
    if (x == 8 && strtok(0, " ")) //@ true open, false open
        return 2;
    return 0;
}
