// do-while with compound conditions: digits of a number, most significant first.
// expect: branches 16 feasible 11
// expect: paths 3
// expect: infeasible 21:19:false
// expect: infeasible 27:14:true
// expect: infeasible 28:9:true
// expect: infeasible 30:19:true
// expect: infeasible 32:21:true
// expect: mcdc 21:14 U-
// expect: mcdc 30:9 --
// expect: mcdc 32:12 --
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    char digits[4];
    int n = 0;
    do {
        digits[n++] = (char)('0' + x % 10);
        x /= 10;
    } while (x && n < 4);
    int i = 0, j = n - 1;
    do {
        char t = digits[i];
        digits[i] = digits[j];
        digits[j] = t;
    } while (++i < --j);
    if (n == 4)
        return 1;
    if (n == 3 && digits[0] > '2')
        return 2;
    return n > 1 && digits[0] == '0' ? 3 : 4;
}
