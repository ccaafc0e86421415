// A program may be started without any argument, even without its name; and a name may be empty.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc == 0) //@ true covered, false covered
        return 1;
    if (argv[0] == 0) //@ true infeasible, false covered
        return 2;
    if (argv[0][0] == 0) //@ true covered, false covered
        return 3;
    return 0;
}
