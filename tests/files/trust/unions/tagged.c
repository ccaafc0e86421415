// A tagged union: each kind looks at another member.
// arguments: --function classify
struct text { int length; char bytes[4]; };
struct value {
    unsigned char kind;
    union {
        double number;
        struct text *text;
        char *name;
    } u;
};

int classify(struct value v) {
    if (v.kind == 1) {
        if (v.u.number > 41.5 && v.u.number < 42.5) //@ true covered, false covered
            return 1;
        if (v.u.number > 5.0 && v.u.number < 4.0) //@ false covered
            return 9;
        return 2;
    }
    if (v.kind == 2) {
        if (v.u.text->length == 3 && v.u.text->bytes[1] == 'x') //@ true covered, false covered
            return 3;
        return 4;
    }
    if (v.kind == 3 && v.u.name) { //@ true covered, false covered
        if (v.u.name[0] == 'L' && v.u.name[1] == 'a') //@ true covered, false covered
            return 5;
        return 6;
    }
    if (v.kind > 200) {
        if (v.kind < 100) //@ true infeasible, false covered
            return 7;
    }
    return 0;
}
