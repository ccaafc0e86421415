// Two lists that may run together, and lists of exactly two and three nodes.
// arguments: --function meet --time 20s
// expect: branches 12 feasible 12
// expect: return 1
// expect: return 2
// expect: return 3
// expect: return 0
struct node {
    int value;
    struct node *next;
};

int meet(struct node *a, struct node *b) {
    if (!a || !b)
        return 0;
    if (a == b)
        return 1;
    if (a->next == b)
        return 2;
    if (a->next && a->next->value == 1234)
        return 3;
    return 0;
}
