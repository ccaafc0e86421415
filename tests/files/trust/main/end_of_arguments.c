// The pointer behind the last argument is null.
// arguments: --function main
int main(int argc, char **argv) {
    int n = 0;
    while (n < 2 && argv[n])
        n++;
    if (n > argc) //@ true infeasible, false covered
        return 1;
    if (argc != 1)
        return 2;
    if (argv[1]) //@ true infeasible, false covered
        return 3;
    return 0;
}
