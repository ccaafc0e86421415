// Signed and unsigned bit-fields, written, wrapped and compared.
// expect: branches 12 feasible 9
// expect: paths 4
// expect: infeasible 23:9:true
// expect: infeasible 27:9:true
// expect: infeasible 27:20:true
// expect: mcdc 25:9 UU
// expect: mcdc 27:9 --
#include "labrys.h"

struct flags {
    unsigned a : 3;
    signed b : 4;
    unsigned c : 1;
};

int main(void) {
    unsigned char x = labrys_uchar("x");
    struct flags f = {0};
    f.a = x;
    f.b = (signed)(x >> 4) - 8;
    f.c = f.a > 3;
    if (f.a > 7)
        return 1;
    if (f.b < 0 && f.c)
        return 2;
    if (f.b > 7 || f.b < -8)
        return 3;
    f.a++;
    if (f.a == 0)
        return 4;
    return f.c != (f.a > 4);
}
