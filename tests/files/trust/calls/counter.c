// The second call of a function sees what the first one left.
// arguments: --function next
int next(int x) {
    static int calls;
    if (calls++ > 0) //@ true covered, false covered
        return x;
    return 0;
}
