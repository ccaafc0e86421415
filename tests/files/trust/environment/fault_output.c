// With --faults-of-environment writing fails, or writes a part.
// arguments: --function send --faults-of-environment
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int send(int n) {
    if (n == 1) {
        if (puts("x") < 0) //@ true covered, false covered
            return 1;
        if (printf("%d", n) < 0) //@ true covered, false covered
            return 2;
        return 3;
    }
    long size = write(1, "abc", 3);
    if (size < 0) //@ true covered, false covered
        return 4;
    if (size == 1) //@ true covered, false covered
        return 5;
    if (size == 2) //@ true unknown partial reads and writes, false covered
        return 6;
    return 7;
}
