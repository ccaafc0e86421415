// A function may change one member of a structure; another one that was written since holds.
// arguments: --function query
struct status { int code; int extra; };
struct status last;
void refresh(void);

int query(void) {
    last.code = 1;
    last.extra = 2;
    refresh();
    last.extra = 7;
    if (last.extra != 7) //@ true infeasible, false covered
        return 1;
    if (last.code == 9) //@ true open, false covered
        return 2;
    return 0;
}
