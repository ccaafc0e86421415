// Programs look at the array of the environment, too.
// arguments: --function first
extern char **environ;

int first(int n) {
    if (n > 1)
        if (n < 1) //@ true infeasible, false covered
            return 0;
    if (environ[0]) //@ true open, false covered
        return 1;
    return 2;
}
