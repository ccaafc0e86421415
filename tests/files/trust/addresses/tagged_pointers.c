// A pointer with a tag in its free bits: the tag comes back, and so does the pointer.
// arguments: --function tag
#include <stdint.h>
struct node {
    long value;
};
static uintptr_t with_tag(struct node *n, unsigned tag) { return (uintptr_t)n | tag; }
static struct node *without_tag(uintptr_t t) { return (struct node *)(t & ~(uintptr_t)3); }
int tag(int c) {
    struct node n = {7};
    uintptr_t t = with_tag(&n, 0);
    if (c > 10)
        t = with_tag(&n, 1);
    if ((t & 3) == 1) { //@ true covered, false covered
        if (c <= 10) //@ true infeasible, false covered
            return 2;
    }
    if (without_tag(t)->value == 7) //@ true covered, false infeasible
        return 1;
    return 0;
}
