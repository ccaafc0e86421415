// The address of a variable goes a way that nobody sees at a glance.
// arguments: --function check --calls 1
static int secret = 4;

void rewrite(void) {
    int *p = &secret, *q;
    __builtin_memcpy(&q, &p, sizeof q);
    *q = 5;
}

int check(void) {
    if (secret == 5) //@ true open, false covered
        return 1;
    return 0;
}
