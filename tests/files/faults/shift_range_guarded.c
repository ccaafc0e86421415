// The amount is reduced to the width first; narrow types shift as int: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    unsigned char narrow = 1;
    int wide = narrow << n % 31;
    return (int)(1u << (n & 31)) ^ wide ^ (int)(1ull << (n & 63));
}
