// The end of a list is a variable.
// arguments: --function is_end --time 60s
struct node { int value; struct node *next; };
struct node sentinel;
int is_end(struct node *n) {
    if (n == &sentinel) //@ true covered, false covered
        return 1;
    return 0;
}
