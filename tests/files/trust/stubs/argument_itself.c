// A function may return the structure that it got.
// arguments: --function reuse
struct item { int key; int value; };
struct item *update(struct item *old);

int reuse(void) {
    struct item here = {1, 2};
    struct item *p = update(&here);
    if (p == &here) //@ true covered, false covered
        return 1;
    return 0;
}
