// A function may return the address of a member of what it got.
// arguments: --function grow
struct table { int size; int data[4]; };
int *slot(struct table *t);

int grow(void) {
    struct table t = {3, {0}};
    int alone = 1;
    int *s = slot(&t);
    if (!s)
        return -1;
    t.size = 3;
    alone = 2;
    *s = 9;
    if (alone != 2) //@ true infeasible, false covered
        return 1;
    if (t.size == 9) //@ true open, false covered
        return 2;
    if (s == &t.data[1]) //@ true open, false covered
        return 3;
    return 0;
}
