// With --symbolic-globals nothing is assumed of global variables.
// arguments: --function check --symbolic-globals
int level = 3;
static int gate;
void open_gate(void) { gate = 1; }

int check(void) {
    if (level == 1000) //@ true covered, false covered
        return 1;
    if (gate == 77) //@ true covered, false covered
        return 2;
    if (level <= 5)
        return 3;
    if (level < 5) //@ true infeasible, false covered
        return 4;
    return 0;
}
