// A file that was written may fail to close; the text behind it was read all the same.
// arguments: --function store
#include <stdio.h>

int store(int n) {
    FILE *file = fopen("out", "w");
    if (!file) //@ true open, false covered
        return 1;
    if (fputs("text", file) < 0) //@ true open, false covered
        return 2;
    if (fclose(file)) //@ true open, false covered
        return 3;
    if (n < 0)
        if (n > 0) //@ true infeasible, false open
            return 4;
    return 0;
}
