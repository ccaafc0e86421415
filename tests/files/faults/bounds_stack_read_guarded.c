// The index is masked to the size of the array: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char i = labrys_uchar("i");
    int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    if (i > 200)
        return primes[i - 248 & 7];
    return primes[i & 7];
}
