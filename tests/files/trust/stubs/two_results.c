// Two calls of a function without a body may return different objects, the same one, or none.
// arguments: --function same
char *ext(void);

int same(void) {
    char *a = ext(), *b = ext();
    if (!a || !b) //@ true covered, false covered
        return 0;
    if (a == b) //@ true covered, false covered
        return 1;
    *a = 'x';
    *b = 'y';
    if (*a == 'y') //@ true infeasible, false covered
        return 2;
    return 3;
}
