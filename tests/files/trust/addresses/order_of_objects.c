// The order of different objects is open; the order within one is a fact.
// arguments: --function order
static int a, b;
int order(int x) {
    int p = x, q = 0, array[4] = {0};
    if (&array[1] < &array[3]) //@ true covered, false infeasible
        x++;
    int r = 0;
    if (&a < &b) //@ true open, false open
        r |= 1;
    if (&p < &q) //@ true open, false open
        r |= 2;
    return r + q;
}
