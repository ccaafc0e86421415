// Reading that has ended may have failed: then it is not at its end, and the next attempt may succeed.
// arguments: --main --sym-stdin 2
#include <stdio.h>

int main(void) {
    if (feof(stdin)) //@ true infeasible, false covered
        return 1;
    if (getchar() == EOF) { //@ true covered, false covered
        if (!feof(stdin)) //@ true unknown errors of streams, false covered
            return 2;
        if (getchar() != EOF) //@ true unknown errors of streams, false covered
            return 3;
        return 4;
    }
    if (feof(stdin)) //@ true infeasible, false covered
        return 5;
    return 6;
}
