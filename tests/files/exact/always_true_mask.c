// Conditions decided by masks, array bounds and earlier conditions on copies.
// expect: branches 16 feasible 10
// expect: paths 2
// expect: infeasible 16:9:true
// expect: infeasible 21:9:true
// expect: infeasible 26:13:true
// expect: infeasible 28:13:false
// expect: infeasible 28:28:true
// expect: infeasible 31:12:false
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
