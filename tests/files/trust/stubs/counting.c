// Counting what a function without a body is told does not take proofs away.
// arguments: --function note
void log_value(int x);
static int count;
long total;

int note(int x) {
    int low = x & 7;
    count++;
    total += low;
    log_value(x);
    if (low > 7) //@ true infeasible, false covered
        return 1;
    if (low == 3) //@ true covered, false covered
        return 2;
    return 0;
}
