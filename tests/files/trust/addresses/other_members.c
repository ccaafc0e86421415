// What was stored as a number is one, also where a pointer could have been.
// arguments: --function kinds
#include <stdint.h>
#include <string.h>
struct box {
    int kind;
    union {
        char *text;
        int number;
        uint64_t bits;
    } value;
};
int kinds(char *p, unsigned char c) {
    struct box b, copy;
    int r = 0;
    if (c > 100) {
        b.value.text = p;
        b.kind = 1;
    } else {
        b.value.bits = c;
        b.kind = 2;
    }
    memcpy(&copy, &b, sizeof copy);
    if (copy.kind == 3) //@ true infeasible, false covered
        r |= 1;
    if (b.kind == 2) {
        if (copy.value.bits > 100) //@ true infeasible, false covered
            r |= 2;
        if (copy.value.number % 256 > 100) //@ true infeasible, false covered
            r |= 4;
    }
    union {
        char *pointer;
        uintptr_t number;
    } back;
    back.pointer = p;
    if ((char *)back.number != p) //@ true infeasible, false covered
        r |= 8;
    return r;
}
