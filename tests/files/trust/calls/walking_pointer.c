// A static pointer goes one place further with each call.
// arguments: --function next_place
int next_place(void) {
    static char buffer[8];
    static char *at = buffer;
    if (at == buffer + 1) //@ true covered, false covered
        return 1;
    if (at == buffer + 2) //@ true open, false covered
        return 2;
    at++;
    return 0;
}
