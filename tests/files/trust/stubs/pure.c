// A pure function changes nothing, whatever it can see.
// arguments: --function compare
static int level;
int rate(const int *a) __attribute__((pure));

int compare(int *a) {
    level = 5;
    if (!a)
        return 0;
    *a = 1;
    int r = rate(a);
    if (level != 5) //@ true infeasible, false covered
        return 1;
    if (r == 9) //@ true covered, false covered
        return 2;
    return 0;
}
