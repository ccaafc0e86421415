// A copy keeps what a function may have changed before.
// arguments: --function snapshot
struct config { int level; int mode; };
struct config current;
void reload(void);

int snapshot(void) {
    current.level = 1;
    current.mode = 1;
    struct config before = current;
    reload();
    struct config after = current;
    if (before.level != 1) //@ true infeasible, false covered
        return 1;
    if (after.level != 1) //@ true open, false covered
        return 2;
    return 0;
}
