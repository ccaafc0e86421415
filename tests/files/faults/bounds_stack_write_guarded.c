// The loop stops at the end of the buffer: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    char buffer[16];
    for (unsigned i = 0; i < n && i < sizeof buffer; i++)
        buffer[i] = 'x';
    return n ? buffer[0] : 0;
}
