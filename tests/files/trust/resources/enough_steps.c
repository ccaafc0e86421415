// The same with enough steps is a proof.
// arguments: --function steps
int steps(int c) {
    int i = 0;
    if (c > 10) { //@ true covered, false covered
        while (i < 100000)
            i++;
        if (i == 100000) //@ true covered, false infeasible
            return 1;
    }
    return 0;
}
