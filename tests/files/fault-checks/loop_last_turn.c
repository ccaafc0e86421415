// A check that every turn of a loop passes: only the last turn of the longest run leaves the array.
// expect: fault out-of-bounds 13
#include "labrys.h"

static int values[9];

int main(void) {
    unsigned n = labrys_uchar("n"), shift = labrys_uchar("shift");
    int sum = 0;
    labrys_assume(n < 8);
    labrys_assume(shift < 4);
    for (unsigned i = 0; i < n; i++)
        sum += values[i + shift];
    return sum;
}
