// A copy of the state is no more certain than the state.
// arguments: --function decide
struct config { int level; int mode; };
static struct config config;

void set_level(int level) {
    if (level < 10)
        config.level = level;
}

int decide(int x) {
    struct config mine = config;
    mine.mode = 2;
    if (mine.mode != 2) //@ true infeasible, false covered
        return 1;
    if (mine.level == 3) //@ true covered, false covered
        return x;
    if (mine.level == 30) //@ true open, false covered
        return 2;
    return 0;
}
