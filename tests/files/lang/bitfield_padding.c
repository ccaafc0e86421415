// Bit-fields beside bits that were never written, through structures passed by value.
// expect: result 05000000000000001000000000000000
#include "out.h"
#include <stdlib.h>

typedef struct {
    union { unsigned char c; void *p; long i; int context; } opr;
    unsigned type : 8;
    unsigned constraint : 10;
    unsigned duplicated : 1;
    unsigned multi : 1;
} token;

static token *nodes;
static int used;

static int add(token t) {
    nodes[used] = t;
    nodes[used].constraint = 0;
    nodes[used].multi = t.type == 5 || (t.type == 4 && used > 0);
    return used++;
}

int main(void) {
    token t;
    int k, kind = 0;
    nodes = malloc(4 * sizeof *nodes);
    t.type = 12;
    t.opr.context = 16;
    add(t);
    k = add(nodes[0]);
    nodes[k].duplicated = 1;
    nodes[k].constraint |= nodes[0].constraint;
    if (nodes[k].type & 8)
        kind += 1;
    if (nodes[k].constraint)
        kind += 2;
    switch (nodes[0].type) {
    case 12: kind += 4; break;
    default: kind += 8;
    }
    out(kind);
    out(nodes[k].opr.context);
    return finish();
}
