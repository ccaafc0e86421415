// Whoever starts a program may leave descriptors open, or close some.
// arguments: --function copy
#include <fcntl.h>
#include <unistd.h>

int copy(int n) {
    int other = dup(1);
    if (other < 0) //@ true open, false covered
        return 1;
    if (other == 3) //@ true covered, false open
        n++;
    if (dup2(1, 17) == 17) //@ true covered, false open
        return 2;
    return n;
}
