// A text may be longer than the harness makes it.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc != 2)
        return 0;
    int n = 0;
    while (n < 60 && argv[1][n] == 'a')
        n++;
    if (n == 5) //@ true covered, false covered
        return 1;
    if (n == 60) //@ true open, false covered
        return 2;
    return 3;
}
