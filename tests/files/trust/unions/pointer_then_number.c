// The same the other way round: what was computed of the number is decided by behind the pointer.
// arguments: --function later
struct item { int size; };
union word {
    long number;
    struct item *item;
};

int later(union word w) {
    long next = w.number + 1;
    if (w.item->size != 3)
        return 0;
    if (next % 4096 == 65) //@ true open, false open
        return 2;
    return 3;
}
