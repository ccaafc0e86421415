// Members with pointers at other places than others have them: none of them is forgotten.
// arguments: --function order
struct a { int x; };
struct b { int y; };
struct c { long pad[8]; int z; };
struct value {
    int kind;
    union {
        long numbers[2];
        struct a *a;
        struct { long count; struct b *b; } with_b;
        struct c *c;
    } u;
};

int order(struct value v) {
    if (v.kind == 1)
        return v.u.a && v.u.a->x == 5 ? 1 : 2; //@ true covered, false covered
    if (v.kind == 2)
        return v.u.with_b.b && v.u.with_b.b->y == 6 && v.u.with_b.count == 9 ? 3 : 4; //@ true covered, false covered
    if (v.u.c && v.u.c->z == 7) { //@ true covered, false covered
        if (v.u.c->z == 8) //@ true infeasible, false covered
            return 5;
        if (v.u.with_b.b && v.u.with_b.b->y == 4) //@ true open, false open
            return 6;
    }
    return 7;
}
