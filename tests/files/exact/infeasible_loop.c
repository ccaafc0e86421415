// What loops make impossible: a monotone sum, a bounded counter, an invariant.
// expect: branches 16 feasible 12
// expect: paths 66
// expect: infeasible 15:13:true
// expect: infeasible 19:9:true
// expect: infeasible 27:13:true
// expect: infeasible 30:12:true
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int sum = 0, last = -1;
    for (int i = 0; i < (x & 15); i++) {
        sum += i;
        if (sum < last)
            return 1;
        last = sum;
    }
    if (sum == 44)
        return 2;
    if (sum == 45)
        return 3;
    int a = x, b = 0;
    while (a > 100) {
        a -= 50;
        b += 50;
        if (a + b != x)
            return 4;
    }
    return b > 200 ? 5 : b > 150 ? 6 : 7;
}
