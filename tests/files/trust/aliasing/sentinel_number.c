// A variable of a simple type as a mark.
// arguments: --function is_default --time 60s
int none;
int is_default(const int *p) {
    if (p == &none) //@ true covered, false covered
        return 1;
    return 0;
}
