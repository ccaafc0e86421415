// Six different faults on six lines that the tests cover with inputs that do not fault.
// expect: fault division-by-zero 18
// expect: fault division-overflow 20
// expect: fault shift-range 22
// expect: fault out-of-bounds 24
// expect: fault assertion 26
// expect: fault null-dereference 29
#include "labrys.h"
#include <assert.h>
#include <stddef.h>

static int table[10];

int main(void) {
    int which = labrys_int("which"), y = labrys_int("y");
    switch (which) {
    case 0:
        return 100 / (y - 5);
    case 1:
        return -2147483647 - 1 == y ? 0 : (-2147483647 - 1) / (y | 1);
    case 2:
        return 1 << (y & 63);
    case 3:
        return table[y & 15];
    case 4:
        assert(y != 77);
        return 4;
    case 5:
        return *(y == 55 ? NULL : table);
    }
    return 6;
}
