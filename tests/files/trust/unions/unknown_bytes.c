// Nothing says that there is a pointer in the bytes: that is a limit of the harness and no proof.
// arguments: --function hidden --proof-rules exhausted
#include <string.h>
struct item { int size; };

int hidden(unsigned char *bytes) {
    struct item *item;
    memcpy(&item, bytes, sizeof item);
    if (!item) //@ true covered, false covered
        return 0;
    if (item->size == 3) //@ true unknown bounds, false unknown bounds
        return 1;
    return 2;
}
