// An average over a count that may be zero.
// expect: fault division-by-zero 13
#include "labrys.h"

int main(void) {
    unsigned char bits = labrys_uchar("bits");
    int sum = 0, count = 0;
    for (int i = 0; i < 8; i++)
        if (bits >> i & 1) {
            sum += i;
            count++;
        }
    return sum / count;
}
