// A local that is written only on some ways may hold anything on the others.
// arguments: --function maybe
int maybe(int c) {
    int x;
    if (c)
        x = 0;
    if (x == 5) //@ true open, false covered
        return 1;
    return 0;
}
