// An anonymous union of more than one word, with a structure in it.
// arguments: --function pick
struct node {
    int kind;
    union {
        struct { long from, to; } range;
        struct { int length; char *text; } label;
        struct node *next;
    };
};

int pick(struct node *n) {
    if (n->kind == 1) {
        if (n->range.from > n->range.to) //@ true covered, false covered
            return 1;
        if (n->range.from == 7 && n->range.to == 9) //@ true covered, false covered
            return 2;
        return 3;
    }
    if (n->kind == 2) {
        if (n->label.length == 2 && n->label.text[0] == 'x') //@ true covered, false covered
            return 4;
        return 5;
    }
    if (n->next && n->next->kind == 4) //@ true covered, false covered
        return 6;
    return 0;
}
