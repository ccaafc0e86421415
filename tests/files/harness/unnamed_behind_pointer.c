// A structure without a name, behind a typedef of a pointer to it.
// arguments: --function size_of
// expect: branches 4 feasible 4
typedef struct {
    int kind;
    int size;
} *part;

int size_of(part p) {
    if (p->kind == 3)
        return p->size;
    if (p->size > 100)
        return -1;
    return 0;
}
