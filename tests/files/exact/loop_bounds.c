// Loops whose bounds depend on the input, nested, counting up and down.
// expect: branches 10 feasible 9
// expect: paths 57
// expect: infeasible 15:9:true
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int n = x & 7, m = x >> 5, sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = m; j > i; j--)
            sum += i * j;
    while (n-- > 0)
        sum++;
    if (sum < 0)
        return 1;
    if (sum > 60)
        return 2;
    return 0;
}
