// The user says that nothing else leads to the text.
// arguments: --function poke --time 60s --shape "c: alone"
int poke(int *p, char *c) {
    if (!p || !c)
        return -1;
    *p = 0;
    *c = 1;
    if (*p == 1) //@ true rests on --shape 'c: alone', false covered
        return 1;
    return 0;
}
