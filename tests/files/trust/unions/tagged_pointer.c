// The lowest bit of the pointer is a mark.
// arguments: --function marked
#include <stdint.h>
struct item { int size; };
union word {
    uintptr_t bits;
    struct item *item;
};

int marked(union word w) {
    if (w.bits & 1) //@ true covered, false covered
        return 1;
    if (w.bits == 0)
        return 2;
    if (w.item->size == 3) //@ true open, false open
        return 3;
    return 4;
}
