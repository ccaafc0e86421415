// A sixth argument needs a larger harness, which is made.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc != 7)
        return 0;
    if (argv[6][0] == '-') //@ true covered, false covered
        return 1;
    return 2;
}
