// A volatile structure is copied as a whole.
// arguments: --function copy
struct pair { int first, second; };
volatile struct pair source;

int copy(int n) {
    if (n > 4)
        if (n < 3) //@ true infeasible, false covered
            return 0;
    struct pair local = source;
    if (local.second) //@ true unknown volatile source, false covered
        return 1;
    return 2;
}
