// An object on the heap is changed by whom it is given to, and by nobody else.
// arguments: --function build --trust environment
#include <stdlib.h>
struct node { struct node *next; int value; };
void register_node(struct node *n);

int build(void) {
    struct node *own = malloc(sizeof *own), *given = malloc(sizeof *given);
    if (!own || !given)
        return -1;
    own->value = 1;
    given->value = 1;
    given->next = 0;
    register_node(given);
    if (own->value != 1) //@ true infeasible, false covered
        return 1;
    if (given->value == 44) //@ true covered, false covered
        return 2;
    if (given->next) //@ true open, false covered
        return 3;
    return 0;
}
