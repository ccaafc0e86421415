// The machine may have another name, and a stream may be full of characters that were given back.
// arguments: --function room
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int room(int n) {
    char name[80];
    switch (n) {
    case 0:
        return gethostname(name, 5) ? 1 : 0; //@ true covered, false open
    case 1:
        errno = 0;
        gethostname(name, 5);
        return errno == ENAMETOOLONG ? 1 : 0; //@ true covered, false open
    case 2:
        return gethostname(name, 60) ? 1 : 0; //@ true open, false covered
    case 3:
        return ungetc('x', stdin) == 'x' ? 1 : 0; //@ true covered, false open
    case 4:
        return ungetc(EOF, stdin) == EOF ? 1 : 0; //@ true covered, false infeasible
    case 5:
        return getpriority(PRIO_PROCESS, 0) == 7 ? 1 : 0; //@ true open, false covered
    case 6:
        return nice(3) == 5 ? 1 : 0; //@ true open, false covered
    case 7:
        return tmpfile() == NULL ? 1 : 0; //@ true open, false covered
    }
    return 0;
}
