// Descriptors that the program has not opened itself may be open all the same; what it has closed is
// closed.
// arguments: --function ask
#include <fcntl.h>
#include <unistd.h>

int ask(int n) {
    char byte = 0;
    if (n == 1) {
        close(1);
        if (write(1, "x", 1) == 1) //@ true infeasible, false covered
            return 1;
        if (close(-1) == 0) //@ true infeasible, false covered
            return 2;
        return 3;
    }
    if (n == 2) {
        if (close(7) == 0) //@ true unknown open descriptors, false covered
            return 1;
        if (close(7) == 0) //@ true infeasible, false covered
            return 2;
        return 3;
    }
    if (n == 3)
        if (fcntl(77, F_GETFD) != -1) //@ true open, false open
            return 1;
    if (n == 4)
        if (read(9, &byte, 1) == 1) //@ true unknown open descriptors, false covered
            return 1;
    return 0;
}
