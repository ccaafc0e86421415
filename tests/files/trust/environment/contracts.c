// A call that fails, or does less than the models do, still returns what its contract allows: -1, or
// at most as many bytes as it was given. Which number a descriptor has never matters for whether
// there is one.
// arguments: --main --sym-file x:16
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char bytes[8];
    int file = open("x", O_RDONLY);
    if (file < 0) //@ true covered, false covered
        return 1;
    ssize_t size = read(file, bytes, sizeof bytes);
    if (size > (ssize_t)sizeof bytes) //@ true infeasible, false covered
        return 2;
    if (size < -1) //@ true infeasible, false covered
        return 3;
    if (close(file) > 0) //@ true infeasible, false covered
        return 4;
    if (write(1, bytes, 0) > 0) //@ true infeasible, false covered
        return 5;
    if (file < 3) //@ true unknown descriptor numbers, false covered
        return 6;
    if (write(1, "text", 4) != 4) //@ true unknown library write succeeds, false covered
        return 7;
    return 0;
}
