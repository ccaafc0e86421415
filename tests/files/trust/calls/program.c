// A whole program begins with the initial values of its variables.
// arguments: --main
static int count;
int mode = 2;

static void add(void) { count++; }

int main(void) {
    if (count != 0) //@ true infeasible, false covered
        return 1;
    add();
    if (count != 1) //@ true infeasible, false covered
        return 2;
    if (mode != 2) //@ true infeasible, false covered
        return 3;
    return 0;
}
