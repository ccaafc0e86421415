// Attributes of the declaration are facts.
// arguments: --function make
void *get(void) __attribute__((returns_nonnull));
void *create(int n) __attribute__((malloc));

int make(void) {
    if (!get()) //@ true infeasible, false covered
        return 1;
    char *a = create(1), *b = create(2);
    if (!a)
        return 2;
    if (a == b) //@ true infeasible, false covered
        return 3;
    return 0;
}
