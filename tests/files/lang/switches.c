// Switches: dense, sparse, on every width, negative, ranges, nested, fall-through, in loops.
// expect: result 062423415b68935001000000000000000200000000000000000000000000000005000000000000000100000000000000030000000000000004000000000000006f00000000000000770000000000000064000000000000000500000000000000070000000000000009000000000000000f00000000000000
#include "out.h"

static int dense(int v) {
    switch (v) {
    case 0: return 10; case 1: return 21; case 2: return 32; case 3: return 43; case 4: return 54;
    case 5: return 65; case 6: return 76; case 7: return 87; case 8: return 98; case 9: return 109;
    case 11: return 131; case 12: return 142; case 13: case 14: case 15: return 153;
    default: return -1;
    }
}
static int sparse(long long v) {
    switch (v) {
    case -9000000000000000000LL: return 1;
    case -5: return 2;
    case 1000: return 3;
    case 123456789: return 4;
    case 0x7fffffffffffffffLL: return 5;
    }
    return 0;
}
static int tiny(signed char c) {
    switch (c) { case -128: return 1; case 127: return 2; case 'a' ... 'z': return 3; default: return 4; }
}
static int nested(unsigned a, unsigned b) {
    int r = 0;
    switch (a) {
    case 1:
        switch (b) { case 1: r = 11; break; default: r = 19; }
    case 2:
        r += 100;
        break;
        int dead;
    default: dead = 5; r = dead;
    }
    return r;
}
static int big_int(unsigned long long v) {
    switch (v) { case 1ULL << 60: return 7; case 3: return 8; }
    return 9;
}

int main(void) {
    unsigned long long h = 0;
    for (int i = -2; i < 18; i++)
        h = h * 31 + (unsigned)dense(i);
    out(h);
    out((unsigned)sparse(-9000000000000000000LL)), out((unsigned)sparse(-5)), out((unsigned)sparse(999));
    out((unsigned)sparse(0x7fffffffffffffffLL)), out((unsigned)tiny((signed char)128)), out((unsigned)tiny('q')), out((unsigned)tiny(-1));
    out((unsigned)nested(1, 1)), out((unsigned)nested(1, 2)), out((unsigned)nested(2, 0)), out((unsigned)nested(3, 0));
    out((unsigned)big_int(1ULL << 60)), out((unsigned)big_int(4));
    int n = 0;
    for (int i = 0; i < 10; i++)
        switch (i & 3) { case 1: continue; case 3: if (i > 6) goto end; default: n += i; }
end:
    out((unsigned)n);
    return finish();
}
