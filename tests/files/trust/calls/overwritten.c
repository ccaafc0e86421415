// What the function has written itself does not rest on initial values.
// arguments: --function reset
static int buffer[8];
int used;

void put(int x) {
    if (used < 8)
        buffer[used++] = x;
}

int reset(void) {
    used = 0;
    buffer[0] = 9;
    if (used != 0) //@ true infeasible, false covered
        return 1;
    if (buffer[0] != 9) //@ true infeasible, false covered
        return 2;
    return 0;
}
