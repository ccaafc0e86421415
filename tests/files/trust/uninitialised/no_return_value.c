// A function that ends without a value returns anything.
// arguments: --function value_of
static int flag(int c) {
    if (c > 10)
        return 1;
}
int value_of(int c) {
    if (flag(c) == 2) //@ true open
        return 1;
    return 0;
}
