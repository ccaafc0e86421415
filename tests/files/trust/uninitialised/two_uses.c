// Two uses of a local that was never written need not agree.
// arguments: --function twice --criterion branch
int twice(int c) {
    int x;
    if (c > 3)
        x = c;
    int y = x;
    if (x > 10) { //@ true covered
        if (y < 5) //@ true open
            return 1;
    }
    return 0;
}
