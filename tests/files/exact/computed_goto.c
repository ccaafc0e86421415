// A threaded interpreter: computed goto through a table of label addresses.
// expect: branches 10 feasible 7
// expect: paths 13
// expect: infeasible 17:9:false
// expect: infeasible 37:9:true
// expect: infeasible 39:9:true
#include "labrys.h"

static int run(const unsigned char *code, int length) {
    static const void *const table[4] = {&&push, &&add, &&twice, &&stop};
    int stack[4] = {0}, top = 0, pc = 0;
next:
    if (pc >= length)
        return stack[top];
    goto *table[code[pc++] & 3];
push:
    if (top < 3)
        stack[++top] = code[pc - 1] >> 2;
    goto next;
add:
    if (top > 0) {
        stack[top - 1] += stack[top];
        top--;
    }
    goto next;
twice:
    stack[top] *= 2;
    goto next;
stop:
    return top;
}

int main(void) {
    unsigned char code[2];
    labrys_symbolic(code, 2, "code");
    int r = run(code, 2);
    if (r > 126)
        return 1;
    if (r == 2 * 63 + 1)
        return 2;
    return 0;
}
