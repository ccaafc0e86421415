// A check that every turn of a loop passes: only the last turn can leave the array.
// expect: fault out-of-bounds 12
#include "labrys.h"

static int values[9];

int main(void) {
    unsigned shift = labrys_uchar("shift");
    int sum = 0;
    labrys_assume(shift < 4);
    for (unsigned i = 0; i < 7; i++)
        sum += values[i + shift];
    return sum;
}
