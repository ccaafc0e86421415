// Another function writes the state that this one reads.
// arguments: --function area
static int mode;

void set_mode(int m) {
    if (m >= 0)
        mode = m;
}

int area(int x) {
    if (mode == 5) //@ true covered, false covered
        return x;
    if (mode == -1) //@ true open, false covered
        return 2;
    return 0;
}
