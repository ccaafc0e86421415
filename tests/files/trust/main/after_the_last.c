// Behind the last argument there is a null pointer, however many there are.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc > 2)
        return 0;
    if (argv[argc]) //@ true infeasible, false covered
        return 1;
    return 2;
}
