// A pointer to the structure with which others begin, and a `void *`: each is converted to structures.
// arguments: --function area
struct shape { int kind; };
struct circle { struct shape shape; int radius; };
struct square { struct shape shape; int side; struct shape *next; };
struct context { int limit; char *name; };

int area(struct shape *shape, void *data) {
    struct context *context = data;
    if (context && context->limit == 12 && context->name && context->name[0] == 'n') //@ true covered, false covered
        return 1;
    if (!shape)
        return 2;
    if (shape->kind == 1) {
        struct circle *circle = (struct circle *)shape;
        if (circle->radius == 77) //@ true covered, false covered
            return 3;
        return 4;
    }
    struct square *square = (struct square *)shape;
    if (square->side > 5 && square->next && square->next->kind == 8) //@ true covered, false covered
        return 5;
    if (shape->kind == 3) {
        if (shape->kind == 4) //@ true infeasible, false covered
            return 6;
    }
    return 7;
}
