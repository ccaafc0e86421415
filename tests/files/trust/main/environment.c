// The third parameter is the environment, which may be empty.
// arguments: --function main
int main(int argc, char **argv, char **envp) {
    if (!envp) //@ true infeasible, false covered
        return 1;
    if (!envp[0]) //@ true covered, false covered
        return 2;
    if (envp[0][0] == 'H' && envp[0][1] == '=') //@ true covered, false covered
        return 3;
    return argc < 0 || argv == 0;
}
