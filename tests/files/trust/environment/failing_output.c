// Output fails where a disk is full or a pipe is closed. A result that nobody looks at costs no proof.
// arguments: --function report
#include <stdio.h>
#include <unistd.h>

int report(int n) {
    puts("start");
    printf("%d\n", n > 3);
    if (n > 3)
        if (n < 2) //@ true infeasible, false covered
            return 9;
    if (n == 1)
        if (puts("x") < 0) //@ true unknown library puts succeeds, false covered
            return 1;
    if (n == 2)
        if (write(1, "x", 1) != 1) //@ true unknown library write succeeds, false covered
            return 2;
    if (n == 3)
        if (printf("x") < 0) //@ true unknown library printf succeeds, false covered
            return 3;
    if (n == 4)
        if (fflush(stdout) != 0) //@ true unknown library fflush succeeds, false covered
            return 4;
    if (n == 5)
        if (putchar('x') == EOF) //@ true unknown library putchar succeeds, false covered
            return 5;
    return 0;
}
