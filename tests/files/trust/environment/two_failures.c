// A condition that needs two calls to fail.
// arguments: --function both
#include <errno.h>
#include <unistd.h>
int both(void) {
    int ends[2] = {0, 0};
    char bytes[2] = {0};
    unsigned char first = (unsigned char)pipe(ends);
    int second = (int)write(1, bytes, 2);
    if (second + first - 128 == 126) //@ true open, false covered
        return 1;
    if (second + first == 300) //@ true infeasible, false covered
        return 2;
    return 0;
}
