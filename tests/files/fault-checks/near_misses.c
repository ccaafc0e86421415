// The same checks, each with a guard that only the solver sees through: no fault.
// expect: no fault
#include "labrys.h"
#include <assert.h>

static int table[16];

int main(void) {
    int which = labrys_int("which"), y = labrys_int("y");
    switch (which) {
    case 0:
        return 100 / (2 * (y & 1023) - 5);
    case 1:
        return (-2147483647 - 1) / ((y & 7) + 2);
    case 2:
        return 1 << (y & 30);
    case 3:
        return table[y & 15];
    case 4:
        assert((y & 15) * (y & 15) % 4 != 3);
        return 4;
    }
    return 6;
}
