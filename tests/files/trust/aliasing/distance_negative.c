// The second pointer may be before the first.
// arguments: --function before --time 60s
int before(const long *a, const long *b) {
    if (!a || !b)
        return 0;
    if (b - a == -2) //@ true covered, false covered
        return 1;
    return 2;
}
