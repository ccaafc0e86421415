// A function may write a text into a buffer, whose end is not known.
// arguments: --function hello
void read_line(char *to, int size);

int hello(void) {
    char line[40];
    read_line(line, sizeof line);
    if (line[0] == 'h' && line[1] == 'i') //@ true covered, false covered
        return 1;
    if (line[30] == 'x') //@ true open, false open
        return 2;
    return 0;
}
