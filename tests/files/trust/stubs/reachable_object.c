// A function may change what can be reached from what it got.
// arguments: --function walk
struct node { struct node *next; int value; };
void touch(const struct node *list);

int walk(void) {
    struct node last = {0, 3};
    struct node first = {&last, 4};
    touch(&first);
    if (last.value != 3) //@ true open, false covered
        return 2;
    return 0;
}
