// Two indices that meet: is the pattern of eight bits a palindrome?
// expect: branches 10 feasible 8
// expect: paths 5
// expect: infeasible 22:13:true
// expect: infeasible 26:12:true
#include "labrys.h"

static int palindrome(unsigned x) {
    unsigned low = 1, high = 128;
    while (low < high) {
        if (!(x & low) != !(x & high))
            return 0;
        low <<= 1;
        high >>= 1;
    }
    return 1;
}

int main(void) {
    unsigned char x = labrys_uchar("x");
    if (palindrome(x)) {
        if (__builtin_parity(x))
            return 1;
        return 2;
    }
    return x == 0x3c ? 3 : 4;
}
