// Bit-fields: signed, unsigned, zero width, crossing units, packed, in unions, updated.
// expect: result 01000000000000000f00000000000000000000000000000002000000000000000c00000000000000d5e655910000000028ee000000000000cdab02000000000048f4ffff000000000600000000000000010000000000000000000000000000000d00000000000000aaaaffffffffffffffffff7f000000001c00000000000000
#include "out.h"

struct plain { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 30; unsigned d : 4; };
struct __attribute__((packed)) tight { unsigned a : 7; unsigned b : 18; int c : 13; unsigned char tail; };
union raw { struct tight t; unsigned char byte[8]; };
struct bools { _Bool x : 1, y : 1; unsigned char n : 6; };
struct wide { long long low : 33; unsigned long long high : 31; };

int main(void) {
    struct plain p = {5, -16, 0x3fffffff, 9};
    p.a += 4;
    p.b--;
    p.c++;
    p.d <<= 1;
    out(p.a), out((unsigned)p.b), out(p.c), out(p.d), out(sizeof p);
    union raw r;
    memset(&r, 0, sizeof r);
    r.t.a = 0x55;
    r.t.b = 0x2abcd;
    r.t.c = -3000;
    r.t.tail = 0xee;
    out(r.byte[0] | r.byte[1] << 8 | r.byte[2] << 16 | (unsigned)r.byte[3] << 24);
    out((unsigned)(r.byte[4] | r.byte[5] << 8)), out(r.t.b), out((unsigned)r.t.c), out(sizeof r.t);
    struct bools b = {4, 0, 77};
    b.y = !b.x;
    out(b.x), out(b.y), out(b.n);
    struct wide w = {-1, 0xffffffff};
    w.low ^= 0x5555;
    out((unsigned long long)w.low), out(w.high), out((w.high = 7, w.high << 2));
    return finish();
}
