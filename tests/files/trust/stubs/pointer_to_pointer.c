// A function that gets the address of a pointer may let it lead elsewhere.
// arguments: --function use
int open_item(int **out);

int use(void) {
    int own = 3, hidden = 4;
    int *p = &own;
    if (open_item(&p) != 0) //@ true covered, false covered
        return -1;
    if (hidden != 4) //@ true infeasible, false covered
        return 1;
    if (p == 0) //@ true open, false covered
        return 2;
    if (p != &own) //@ true open, false covered
        return 3;
    return 0;
}
