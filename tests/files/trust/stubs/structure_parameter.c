// Members of a structure change; pointers in it may change too, which is only noted.
// arguments: --function inspect
struct header { int kind; long size; const char *name; };
void read_header(struct header *to);

int inspect(void) {
    static const char own[] = "own";
    struct header h = {0, 0, own};
    read_header(&h);
    if (h.kind == 5 && h.size == 99) //@ true covered, false covered
        return 1;
    if (h.name != own) //@ true open, false covered
        return 2;
    return 0;
}
