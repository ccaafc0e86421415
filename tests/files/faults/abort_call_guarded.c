// abort stands behind a condition that contradicts the loop: no fault.
// expect: no fault
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int state = 0;
    for (int i = 0; i < 8; i++) {
        state = (state * 2 + (x >> i & 1)) % 7;
        if (state == 7)
            abort();
    }
    return state;
}
