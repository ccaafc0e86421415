// No multiple of three is 152: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    unsigned d = x * 3u - 152u;
    return (int)(1000u % d);
}
