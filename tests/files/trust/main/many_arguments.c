// How many arguments a program gets is not bounded.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc > 12) //@ true covered, false covered
        return 2;
    if (argc < 0) //@ true infeasible, false covered
        return 3;
    if (argc == 2 && argv[1][0] == 'x') //@ true covered, false covered
        return 1;
    return 0;
}
