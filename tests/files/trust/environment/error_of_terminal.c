// Why a descriptor is no terminal depends on what it is.
// arguments: --function why
#include <errno.h>
#include <unistd.h>
int why(void) {
    int terminal = isatty(1);
    if (terminal) //@ true open, false covered
        return 2;
    if (errno == EBADF) //@ true open, false covered
        return 1;
    return 0;
}
