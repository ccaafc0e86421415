// A character pointer may lead to a byte of an int.
// arguments: --function poke --time 60s
int poke(int *p, char *c) {
    if (!p || !c)
        return -1;
    *p = 0;
    *c = 1;
    if (*p == 1) //@ true open, false covered
        return 1;
    return 0;
}
