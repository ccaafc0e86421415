// ?: with cheap arms, with side effects, nested, without middle, and as an lvalue address.
// expect: branches 24 feasible 21
// expect: paths 21
// expect: infeasible 19:49:true
// expect: infeasible 20:9:false
// expect: infeasible 22:9:false
#include "labrys.h"

static int calls;
static int touch(int v) { calls++; return v; }

int main(void) {
    unsigned char x = labrys_uchar("x");
    int low = x < 16 ? 1 : 0;
    int mid = x < 16 ? touch(1) : x < 32 ? touch(2) : touch(3);
    int same = x ?: 99;
    int a = 0, b = 0;
    *(x & 1 ? &a : &b) = 5;
    int grade = x > 200 ? 'A' : x > 100 ? 'B' : x > 200 ? 'X' : 'C';
    if (low ? mid == 1 : mid != 1)
        a++;
    if ((x & 2 ? x : x + 2) & 2)
        b++;
    return a + b + same + grade + calls;
}
