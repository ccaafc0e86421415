// Pointers among variable arguments count as well.
// arguments: --function parse
int scan(const char *format, ...);

int parse(void) {
    int x = 0, y = 0;
    if (scan("%d", &x) != 1)
        return -1;
    if (y != 0) //@ true infeasible, false covered
        return 1;
    if (x == 5) //@ true open, false covered
        return 2;
    return 0;
}
