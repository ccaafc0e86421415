// No case need match: then the local is not written. Where one must match, the values are known.
// arguments: --function kind_of
int kind_of(unsigned kind) {
    int size, width;
    switch (kind & 1) {
    case 0:
        width = 8;
        break;
    default:
        width = 16;
    }
    if (width == 9) //@ true infeasible
        return 9;
    switch (kind) {
    case 0:
        size = 1;
        break;
    case 1:
        size = 1;
        break;
    }
    if (size == 1) //@ true covered, false open
        return 1;
    return 0;
}
