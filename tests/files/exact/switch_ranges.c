// Case ranges, small and large (more than 64 values), and stacked labels.
// expect: branches 12 feasible 10
// expect: paths 7
// expect: infeasible 21:5:case
// expect: infeasible 30:19:true
// expect: mcdc 30:9 --
#include "labrys.h"

static int kind(int c) {
    switch (c) {
    case 'a' ... 'f':
    case 'A' ... 'F':
        return 1;
    case '0' ... '9':
        return 2;
    case 128 ... 250:
        return 3;
    case 251:
    case 252:
        return 4;
    case 300 ... 400:
        return 5;
    }
    return 0;
}

int main(void) {
    unsigned char c = labrys_uchar("c");
    int k = kind(c);
    if (k == 3 && c < 128)
        return 9;
    return k;
}
