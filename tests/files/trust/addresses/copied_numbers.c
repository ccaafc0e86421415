// A number that was made of an address is stored into a local, which is copied to where others read it.
// arguments: --function later --trust environment
#include <stdint.h>
#include <stdlib.h>
struct box {
    int kind;
    uintptr_t number;
};
static void put(struct box *to, void *p) {
    struct box b = {1, 0};
    b.number = (uintptr_t)p;
    *to = b;
}
static int get(const struct box *from) {
    return (from->number >> 12 & 7) == 5;
}
int later(void *p) {
    struct box *b = malloc(sizeof *b);
    b->kind = 2;
    if (b->kind != 2) //@ true infeasible
        return 2;
    put(b, p);
    if (get(b)) //@ true open, false open
        return 1;
    return 0;
}
