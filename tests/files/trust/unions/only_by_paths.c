// Proofs behind a member that was used as a pointer, and behind one that was used as a number.
// arguments: --function look --proof-rules exhausted
struct item { int size; };
struct value {
    int kind;
    union {
        long number;
        struct item *item;
    } u;
};

int look(struct value v) {
    if (v.kind == 1) {
        if (v.u.number == 12) { //@ true covered, false covered
            if (v.u.number != 12) //@ true infeasible, false covered
                return 1;
            return 2;
        }
        return 3;
    }
    if (v.u.item == 0) //@ true covered, false covered
        return 4;
    if (v.u.item->size == 7) { //@ true covered, false covered
        if (v.u.item->size != 7) //@ true infeasible, false covered
            return 5;
        return 6;
    }
    return 7;
}
