// A member that is a pointer leads to what the parameter leads to.
// arguments: --function put --time 60s
struct box { int *value; };
int put(struct box *box, int *p) {
    if (!box || !box->value || !p)
        return -1;
    *box->value = 1;
    *p = 2;
    if (*box->value == 2) //@ true open, false covered
        return 1;
    return 0;
}
