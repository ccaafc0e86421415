// With three calls the third state is reached.
// arguments: --function advance --calls 3
int advance(int input) {
    static int state;
    if (state == 2) //@ true covered, false covered
        return 2;
    if (input == 4 + state)
        state++;
    return 0;
}
