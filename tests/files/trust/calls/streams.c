// A function may be called when the end of standard input was seen already.
// arguments: --function ask
#include <stdio.h>

int ask(int n) {
    if (n > 5)
        if (n < 5) //@ true infeasible, false covered
            return 1;
    if (feof(stdin)) //@ true unknown end of standard streams, false covered
        return 2;
    return 3;
}
