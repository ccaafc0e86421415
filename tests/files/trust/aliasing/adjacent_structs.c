// Neighbours in an array of structures.
// arguments: --function next_to --time 60s
struct pair { int x, y; };
int next_to(struct pair *p, struct pair *q) {
    if (!p || !q)
        return -1;
    if (p + 1 == q) //@ true covered, false covered
        return 1;
    if (&p->y == &q->x) //@ true unknown addresses as numbers, false covered
        return 2;
    return 0;
}
