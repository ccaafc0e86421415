// What a function gets by a pointer to const does not change.
// arguments: --function show
void print_number(const int *n);

int show(int x) {
    int n = x;
    print_number(&n);
    if (n != x) //@ true infeasible, false covered
        return 1;
    return 0;
}
