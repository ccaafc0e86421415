// All members are pointers, and the pointers of two unions may be equal.
// arguments: --function same
struct item { int size; };
struct value {
    int kind;
    union {
        struct item *item;
        char *name;
    } u;
};

int same(struct value a, struct value b) {
    if (a.kind == 1 && b.kind == 1) {
        if (a.u.item == b.u.item) //@ true covered, false covered
            return 1;
        if (a.u.item && b.u.item) {
            a.u.item->size = 1;
            b.u.item->size = 2;
            if (a.u.item->size == 2) //@ true open
                return 2;
        }
        return 3;
    }
    if (a.kind == 2 && a.u.name && a.u.name[0] == 'Q') //@ true covered, false covered
        return 4;
    return 0;
}
