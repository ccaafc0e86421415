// A function may return a pointer into the text that it got.
// arguments: --function after
char *find(const char *text);

int after(const char *text) {
    char *p = find(text);
    if (!text || !p)
        return -1;
    if (p == text) //@ true covered, false covered
        return 0;
    if (p == text + 3) //@ true covered, false covered
        return 3;
    return 1;
}
