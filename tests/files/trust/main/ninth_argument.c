// Ten arguments are made where the program asks for them.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc == 10 && argv[9][0] == 'z') //@ true covered, false covered
        return 1;
    if (argc > 10)
        return 2;
    if (argc > 20) //@ true infeasible, false covered
        return 3;
    return 0;
}
