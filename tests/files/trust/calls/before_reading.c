// What is decided before the state is read does not rest on it, though the function is called again.
// arguments: --function turn
int turn(int x) {
    static int last;
    int y = x & 3;
    if (y > 3) //@ true infeasible, false covered
        return -1;
    if (last == x) //@ true covered, false covered
        return 0;
    last = x;
    if (last != x) //@ true infeasible, false covered
        return 1;
    return 2;
}
