// The hundredth argument is out of reach, but not impossible.
// arguments: --function main
int main(int argc, char **argv) {
    if (argc <= 100)
        return 0;
    if (argv[100][0] == '-') //@ true unknown --array-len, false open
        return 1;
    return 2;
}
