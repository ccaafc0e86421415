// A single call is what the user may ask for; it proves nothing about the others.
// arguments: --function next --calls 1
int next(void) {
    static int calls;
    if (calls++ > 0) //@ true unknown calls (in next) keeps its initial value, false covered
        return 1;
    return 0;
}
