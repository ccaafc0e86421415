// A pointer to a number may be one to many.
// arguments: --function sum
void fill(int values[4]);

int sum(void) {
    int values[4] = {0}, other[4] = {0};
    fill(values);
    if (other[3] != 0) //@ true infeasible, false covered
        return 1;
    if (values[0] == 11) //@ true covered, false covered
        return 2;
    if (values[3] == 7) //@ true open, false covered
        return 3;
    return 0;
}
