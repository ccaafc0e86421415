// What the caller made may lie where a function without a body can find it.
// arguments: --function after
int other(int);
struct pair {
    int a;
    int *b;
};
int after(struct pair *p) {
    int r = 0;
    if (p == 0 || p->b == 0)
        return 9;
    p->a = 1;
    if (p->a != 1) //@ true infeasible, false covered
        r |= 1;
    other(1);
    if (p->a == 2) //@ true open, false covered
        return 2;
    p->a = 5;
    if (p->a != 5) //@ true infeasible, false covered
        r |= 4;
    if (p->b == 0) //@ true open, false covered
        r |= 8;
    return r;
}
