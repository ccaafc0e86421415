// A function without state is called once.
// arguments: --function plain
int plain(int x) {
    int twice = x * 2;
    if (twice == 7) //@ true infeasible, false covered
        return 1;
    return twice;
}
