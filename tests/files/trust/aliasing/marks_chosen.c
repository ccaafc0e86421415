// The program itself chooses between a mark and a pointer of the caller's, who may have passed the mark.
// arguments: --function chosen
struct opaque;
int chosen(char *p, struct opaque *o, int fail) {
    char *q = fail ? (char *)-1 : p;
    if (fail)
        return 9;
    if (q == (char *)-1) //@ true open
        return 1;
    if (o == (struct opaque *)-1) //@ true open
        return 2;
    return 0;
}
