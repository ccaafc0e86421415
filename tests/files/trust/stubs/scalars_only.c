// A function that gets numbers and sees no variables has no effect but its result.
// arguments: --function limit
int measure(int x);

int limit(int x) {
    int low = 3;
    int y = measure(x);
    if (y == 77) //@ true covered, false covered
        return 1;
    if (low != 3) //@ true infeasible, false covered
        return 2;
    if (y <= 5)
        return 3;
    if (y < 5) //@ true infeasible, false covered
        return 4;
    return y;
}
