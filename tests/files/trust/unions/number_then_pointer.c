// The bytes are looked at as a number and then used as a pointer: the address may be that number.
// arguments: --function mixed
struct item { int size; };
union word {
    long number;
    struct item *item;
};

int mixed(union word w) {
    if (w.number == 77)
        return 1;
    if (w.number % 4096 == 64 && w.item->size == 3) //@ true open
        return 2;
    return 0;
}
