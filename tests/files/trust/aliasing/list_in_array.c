// The nodes of a list may lie side by side.
// arguments: --function packed --time 60s
struct node { int value; struct node *next; };
int packed(struct node *a) {
    if (!a)
        return -1;
    if (a[0].next == &a[1]) //@ true covered, false covered
        return 1;
    if (a[0].next == a) //@ true covered, false covered
        return 2;
    return 0;
}
