// Counters that nothing depends on take no proofs away.
// arguments: --function classify
static long total;
static int calls;
int largest[3];

int classify(int x) {
    int rest = x % 4;
    calls++;
    total += x;
    largest[1] = x;
    if (rest == 5) //@ true infeasible, false covered
        return 1;
    if (rest == 3) //@ true covered, false covered
        return 2;
    return 0;
}
