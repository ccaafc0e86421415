// When a program starts, its variables hold their initial values.
// arguments: --function main
int verbose = 1;

int main(int argc, char **argv) {
    if (verbose != 1) //@ true infeasible, false covered
        return 1;
    verbose = argc;
    if (verbose == 1) //@ true covered, false covered
        return argv[0] == 0;
    return 0;
}
