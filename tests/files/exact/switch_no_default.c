// A switch without default: the implicit default is a branch, once feasible and once not.
// expect: branches 9 feasible 7
// expect: paths 5
// expect: infeasible 18:13:default
// expect: infeasible 27:5:case
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int r = 0;
    switch (x) {
    case 3:
        r = 1;
        break;
    case 250:
        r = 2;
    }
    switch (x % 3) {
    case 0:
        r += 3;
        break;
    case 1:
    case 2:
        r += 4;
    }
    switch (x & 6) {
    case 1:
        r += 100;
    }
    return r;
}
