// The state of a function that is called counts as well.
// arguments: --function take
static int ticket(void) {
    static int number;
    return ++number;
}

int take(void) {
    int mine = ticket();
    if (mine == 2) //@ true covered, false covered
        return 1;
    if (mine == 50) //@ true open, false covered
        return 2;
    return 0;
}
