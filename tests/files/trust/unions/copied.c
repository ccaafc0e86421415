// The union is copied byte by byte, stored and loaded again before it is used.
// arguments: --function copied
#include <string.h>
struct item { int size; };
struct value {
    int kind;
    union {
        double number;
        struct item *item;
    } u;
};
static struct value kept[2];

int copied(struct value v, unsigned char at) {
    memcpy(&kept[at % 2], &v, sizeof v);
    struct value w = kept[at % 2];
    if (w.kind == 1)
        return w.u.number == 2.5 ? 1 : 2; //@ true covered, false covered
    if (w.u.item && w.u.item->size == 9) //@ true covered, false covered
        return 3;
    return 4;
}
