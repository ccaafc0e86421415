// A function may report failure by a pointer that is no address of an object.
// arguments: --function attach
void *map(unsigned long size);

int attach(unsigned long size) {
    char *p = map(size);
    if (p == (char *)-1) //@ true covered, false covered
        return -1;
    if (p == (char *)-1) //@ true infeasible, false covered
        return -2;
    return 0;
}
