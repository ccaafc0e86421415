// How deep the recursion goes is an input: beyond the stack of the estimate nothing is proved.
// arguments: --function depth --time 10s
static int count(unsigned n) {
    volatile char frame[60000];
    frame[0] = (char)n;
    return n == 0 ? frame[0] : 1 + count(n - 1);
}
int depth(unsigned n) {
    if (n > 400)
        return -1;
    if (count(n) == 300) //@ true open, false covered
        return 1;
    return 0;
}
