// A loop over options, of which there may be more than the harness makes.
// arguments: --function main --paths 3000
int main(int argc, char **argv) {
    int level = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') //@ true covered, false covered
            continue;
        switch (argv[i][1]) {
        case 'v': //@ all covered
            level++;
            break;
        case 'q': //@ all covered
            level--;
            break;
        }
    }
    if (level == 3) //@ true covered, false covered
        return 1;
    if (level == 40) //@ true open, false covered
        return 2;
    return 0;
}
