// Bytes of unknown type, as library functions take them.
// arguments: --function touches --time 60s
int touches(const void *one, const void *other) {
    const unsigned char *a = one, *b = other;
    if (!a || !b)
        return -1;
    if (a + 4 == b) //@ true covered, false covered
        return 1;
    if (a == b) //@ true covered, false covered
        return 2;
    return 0;
}
