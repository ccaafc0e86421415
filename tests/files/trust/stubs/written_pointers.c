// A function may write pointers: members of a structure, and the pointer that an argument leads to.
// arguments: --function found
struct matches { int count; int *starts; char *name; };
int match(const char *text, struct matches *matches);
int next_line(char **line);

int found(void) {
    struct matches matches = {0, 0, "none"};
    char *line = 0;
    if (!match("abc", &matches))
        return 0;
    if (matches.starts) { //@ true covered, false covered
        if (matches.starts[0] == 7) //@ true covered, false covered
            return 1;
    }
    if (matches.name[0] == 'x') //@ true covered, false covered
        return 2;
    if (next_line(&line) && line && line[0] == 'q') //@ true covered, false covered
        return 3;
    if (!line) //@ true covered, false covered
        return 4;
    return 5;
}
