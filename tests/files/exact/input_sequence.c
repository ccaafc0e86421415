// The number of inputs depends on earlier inputs; booleans and bytes mixed.
// expect: branches 14 feasible 12
// expect: paths 11
// expect: infeasible 20:9:true
// expect: infeasible 23:16:false
// expect: mcdc 11:12 UU
#include "labrys.h"

int main(void) {
    int sum = 0, asked = 0;
    while (asked < 3 && labrys_bool("more")) {
        unsigned char v = labrys_uchar("value");
        asked++;
        if (v > 250)
            return 1;
        if (v == 0)
            break;
        sum += v & 1;
    }
    if (sum > 3)
        return 2;
    if (sum == 3)
        return asked == 3 ? 3 : 4;
    return 5;
}
