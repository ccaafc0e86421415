// With --uninitialised any, a local that was not written is an input.
// arguments: --function locals --uninitialised any
struct point {
    int x, y;
};
int locals(int c) {
    int a, i;
    double d;
    unsigned char bytes[3];
    struct point p;
    for (i = 0; i < 2; i++)
        c++;
    if (i == 3) //@ true infeasible, false covered
        return 0;
    if (a == 77) //@ true covered, false covered
        return 1;
    if (d > 1.5) //@ true covered, false covered
        return 2;
    if (bytes[2] == 'x') //@ true covered, false covered
        return 3;
    if (p.x > p.y) //@ true covered, false covered
        return 4;
    return 5;
}
