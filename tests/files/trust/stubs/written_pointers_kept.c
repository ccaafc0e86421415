// What a function cannot reach keeps its pointers; what it gets as const does too.
// arguments: --function kept
struct pair { int *first, *second; };
int look(const struct pair *pair);
int one = 1, two = 2;

int kept(int n) {
    struct pair pair = {&one, &two};
    int x = n;
    look(&pair);
    if (x != n) //@ true infeasible, false covered
        return 1;
    if (pair.first == pair.second) //@ true infeasible, false covered
        return 2;
    return 0;
}
