// An assertion that one input breaks.
// expect: fault assertion 9
#include "labrys.h"
#include <assert.h>

int main(void) {
    unsigned char x = labrys_uchar("x");
    int square = x * x;
    assert(square != 169);
    return square;
}
