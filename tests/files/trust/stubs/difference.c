// Two looks at a variable with a call between them may differ.
// arguments: --function twice
int ticks;
void give_time(void);

int twice(void) {
    give_time();
    int first = ticks;
    int again = ticks;
    give_time();
    int second = ticks;
    if (first != again) //@ true infeasible, false covered
        return 1;
    if (first != second) //@ true open, false covered
        return 2;
    return 0;
}
