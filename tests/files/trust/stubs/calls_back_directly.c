// A function that is registered and called at once, through a structure.
// arguments: --function apply
int each(int (*visit)(int), int count);

static int total(int x) {
    if (x == -7) //@ true covered, false covered
        return 1;
    return 0;
}

int apply(int n) {
    if (each(total, n) < 0) //@ true covered, false covered
        return -1;
    return 0;
}
