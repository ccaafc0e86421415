// A member leads to the variable.
// arguments: --function last --time 60s
struct node { int value; struct node *next; };
static struct node nil;
struct node *end(void) { return &nil; }
int last(struct node *n) {
    if (!n || n == &nil)
        return -1;
    if (n->next == &nil) //@ true covered, false covered
        return 1;
    return 0;
}
