// After srand(time(NULL)) every number is possible, after srand(1) it is always the same.
// arguments: --function dice
#include <stdlib.h>
#include <time.h>

int dice(int n) {
    if (n == 1) {
        srand((unsigned)time(NULL));
        if (rand() % 6 == 5) //@ true open, false open
            return 1;
        return 2;
    }
    srand(1);
    if (rand() == 1804289383) //@ true covered, false infeasible
        return 3;
    return 4;
}
