// Lists that share nodes: single structures overlap only as a whole.
// arguments: --function both --time 60s
struct node { int value; struct node *next; };
int both(struct node *a, struct node *b) {
    if (!a || !b)
        return -1;
    a->value = 1;
    b->value = 2;
    if (a->value == 2) //@ true covered, false covered
        return 1;
    if (a->value == 3) //@ true infeasible, false covered
        return 2;
    return 0;
}
