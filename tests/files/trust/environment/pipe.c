// What a call writes through its pointers is as sure as the call: if pipe fails, nothing is written.
// arguments: --function ends
#include <unistd.h>
int ends(int n) {
    int d[2] = {0, 0};
    if (n > 3)
        n = 3;
    if (n > 4) //@ true infeasible, false covered
        return 2;
    pipe(d);
    if (d[0] == d[1]) //@ true unknown descriptor numbers, false covered
        return 1;
    return 0;
}
