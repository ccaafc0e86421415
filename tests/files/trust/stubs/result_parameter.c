// A function may write through a pointer that it got.
// arguments: --function twice
int read_number(int *to);

int twice(void) {
    int n = 7;
    int other = 1;
    if (read_number(&n) != 0)
        return -1;
    if (n == 1234) //@ true covered, false covered
        return 1;
    if (other != 1) //@ true infeasible, false covered
        return 2;
    return n > 0;
}
