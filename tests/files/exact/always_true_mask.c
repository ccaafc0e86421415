// Conditions decided by masks, array bounds and earlier conditions on copies.
// expect: branches 16 feasible 10
// expect: paths 2
// expect: infeasible 17:9:true
// expect: infeasible 22:9:true
// expect: infeasible 27:13:true
// expect: infeasible 29:13:false
// expect: infeasible 29:28:true
// expect: infeasible 32:12:false
// expect: mcdc 29:13 --
#include "labrys.h"

int main(void) {
    static const char names[4][4] = {"one", "two", "six", "ten"};
    unsigned char x = labrys_uchar("x");
    unsigned i = x & 3;
    if (i >= 4)
        return 1;
    int length = 0;
    while (names[i][length])
        length++;
    if (length != 3)
        return 2;
    unsigned char y = x;
    if (x > 40) {
        y -= 30;
        if (y <= 10)
            return 3;
        if (y == x - 30 && y > 225)
            return 4;
    }
    return (y & ~0xff) == 0 ? 5 : 6;
}
