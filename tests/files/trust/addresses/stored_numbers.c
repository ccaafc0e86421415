// An address that is stored as a number is not followed further: what is decided with it later stays
// open.
// arguments: --function stored
#include <stdint.h>
struct entry {
    uintptr_t key;
    int value;
};
int stored(int x) {
    static struct entry table[2];
    int local = x;
    if (x == 3) //@ true covered, false covered
        return 0;
    table[0].key = (uintptr_t)&local;
    if (table[0].key % 64 == 4) //@ true open, false open
        return 1;
    return 2;
}
