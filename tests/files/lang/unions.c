// Unions: punning, members of different size, anonymous unions and structures.
// expect: result 000000000000f8bf0000f8bf00000000bf0000000000000000000000000000bf0700feff000000bf000000bf0700feff00000000000022c000000000000004400000000000405e4008000000000000001000000000000000
#include "out.h"
#include <stdint.h>

union view {
    double d;
    uint64_t u;
    uint32_t half[2];
    unsigned char byte[8];
    struct { uint16_t a; int16_t b; };
};

struct tagged {
    enum { INT, FLOAT, TEXT } kind;
    union { long i; double f; const char *s; };
};

static double value(struct tagged t) {
    switch (t.kind) {
    case INT: return (double)t.i;
    case FLOAT: return t.f;
    case TEXT: return t.s[1];
    }
    return -1;
}

static union view swap(union view v) {
    uint32_t t = v.half[0];
    v.half[0] = v.half[1];
    v.half[1] = t;
    return v;
}

int main(void) {
    union view v = {.d = -1.5};
    out(v.u), out(v.half[1]), out(v.byte[7]);
    v.byte[6] = 0;
    out_double(v.d);
    v.b = -2;
    v.a = 7;
    out(v.u), out(swap(v).u);
    out_double(value((struct tagged){INT, .i = -9}));
    out_double(value((struct tagged){FLOAT, .f = 2.5}));
    out_double(value((struct tagged){TEXT, .s = "xyz"}));
    out(sizeof(union view)), out(sizeof(struct tagged));
    return finish();
}
