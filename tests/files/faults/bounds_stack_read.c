// Reading one past a local array for the largest index.
// expect: fault out-of-bounds 10
#include "labrys.h"

int main(void) {
    unsigned char i = labrys_uchar("i");
    int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    if (i > 8)
        return 0;
    return primes[i];
}
