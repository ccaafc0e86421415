// A function that is called in a loop says something else each time.
// arguments: --function count --array-len 4
int next_token(int *kind);

int count(void) {
    int kind = 0, found = 0;
    for (int i = 0; i < 3 && next_token(&kind); i++)
        if (kind == 5)
            found++;
    if (found == 2) //@ true covered, false covered
        return 1;
    if (found > 3) //@ true infeasible, false covered
        return 2;
    return 0;
}
