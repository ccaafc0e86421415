// What must be called first is called first.
// arguments: --function serve
static int ready;
static int limit;

void init(int most) {
    limit = most;
    ready = 1;
}

int serve(int x) {
    if (!ready) //@ true covered, false covered
        return -1;
    if (x > limit) //@ true covered, false covered
        return 1;
    return 0;
}
