// Objects of the program itself lie at no mark.
// arguments: --function unmarked
static char text[4];
int unmarked(int c) {
    char local[4] = {0};
    char *p = c > 3 ? text : local;
    int r = 0;
    if (p == (char *)-1) //@ true infeasible, false covered
        r |= 1;
    if (p == (char *)1) //@ true infeasible, false covered
        r |= 2;
    return r;
}
