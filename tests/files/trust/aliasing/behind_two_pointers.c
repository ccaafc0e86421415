// What a pointer to a pointer leads to may be what the other one leads to.
// arguments: --function store --time 60s
int store(int *p, int **pp) {
    if (!p || !pp || !*pp)
        return -1;
    **pp = 1;
    *p = 2;
    if (**pp == 2) //@ true open, false covered
        return 1;
    return 0;
}
