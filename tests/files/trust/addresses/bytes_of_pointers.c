// A pointer becomes a number without a conversion: members of a union, copied bytes, a part of it.
// arguments: --function seen --trust environment
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
union word {
    void *pointer;
    uintptr_t number;
};
struct box {
    int kind;
    union {
        char *text;
        int number;
        uint64_t bits;
    } value;
};
int seen(char *p, int c) {
    int r = 0;
    union word w;
    w.pointer = p;
    if ((w.number >> 12 & 7) == 5) //@ true open, false open
        r |= 1;
    uintptr_t n;
    memcpy(&n, &p, sizeof n);
    if ((n >> 5) % 3 == 1) //@ true open, false open
        r |= 2;
    unsigned char bytes[8];
    memcpy(bytes, &p, 8);
    if (bytes[1] == 7) //@ true open, false open
        r |= 4;
    if (*(uint32_t *)&p % 7 == 2) //@ true open, false open
        r |= 8;
    struct box *b = malloc(sizeof *b);
    b->value.text = p;
    if (b->value.bits & 64) //@ true open, false open
        r |= 16;
    free(b);
    return r;
}
