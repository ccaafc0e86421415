// Code that is not here may write a variable with external linkage, or one whose address is known.
// arguments: --function ready
int started = 0;
static int hidden = 4;
int *expose(void) { return &hidden; }

int ready(void) {
    if (started) //@ true open, false covered
        return 1;
    if (hidden != 4) //@ true open, false covered
        return 2;
    return 0;
}
